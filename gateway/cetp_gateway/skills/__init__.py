"""Skills: the owner's instructions for special work, each a folder with a SKILL.md, as other agents have them.

Found and listed cheaply for every prompt, read when they are needed. Above: `assemble`, the server; personas are texts
of the same form. Below: settings, errors. Knows nothing of tools, sessions or models.
"""

from cetp_gateway.skills.beneath import read_beneath
from cetp_gateway.skills.front_matter import BadFrontMatter, FrontMatter, read_front_matter
from cetp_gateway.skills.prompt_list import prompt_list
from cetp_gateway.skills.shelf import SKILL_FILE, Shelf, Skills
from cetp_gateway.skills.skill import BrokenSkill, Skill, describe

__all__ = [
    "SKILL_FILE",
    "BadFrontMatter",
    "BrokenSkill",
    "FrontMatter",
    "Shelf",
    "Skill",
    "Skills",
    "describe",
    "prompt_list",
    "read_beneath",
    "read_front_matter",
]
