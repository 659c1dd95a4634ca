"""The list of skills in the system prompt, within a budget: names and descriptions, shorter ones when there are many.

Plain functions of values. Above: `assemble`. Below: `skill`.
"""

from collections.abc import Sequence
from typing import Final

from cetp_gateway.skills.skill import Skill

_HEAD: Final = (
    "The person has written down how some kinds of work are to be done (skills). When a request is about one of these, "
    "read it with load_skill first and follow it:"
)
_WIDTHS: Final = (1024, 240, 80, 0)
"""Characters of each description, tried in this order."""
_CHARS_PER_TOKEN: Final = 4


def prompt_list(skills: Sequence[Skill], most_tokens: int) -> str:
    """The list; empty without skills or without a budget."""
    if not skills or not most_tokens:
        return ""
    most = most_tokens * _CHARS_PER_TOKEN
    for width in _WIDTHS:
        text = "\n".join([_HEAD, *(_line(skill, width) for skill in skills)])
        if len(text) <= most:
            return text
    return _as_many_as_fit(skills, most)


def _line(skill: Skill, width: int) -> str:
    said = skill.description
    if len(said) > width:
        said = said[: width - 1].rstrip() + "…" if width else ""
    return f"- {skill.name}: {said}" if said else f"- {skill.name}"


def _as_many_as_fit(skills: Sequence[Skill], most: int) -> str:
    lines, left = [_HEAD], most - len(_HEAD)
    for skill in skills:
        line = _line(skill, 0)
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    lines.append(f"And {len(skills) - len(lines) + 1} more; load_skill without a name lists them all.")
    return "\n".join(lines)
