"""A persona: a named way of answering, chosen when a session is opened. Values only."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.api import ToolRules

_NAME: Final = re.compile(r"[\w .+-]{1,64}")
_CHARS_PER_TOKEN: Final = 4


class Persona(msgspec.Struct, frozen=True, kw_only=True):
    """`prompt` is added to the system prompt of its sessions."""

    name: str
    prompt: str
    description: str = ""
    allowed: tuple[str, ...] = ("*",)
    """Globs of public names: of what the gateway offers, its sessions see these tools alone."""
    denied: tuple[str, ...] = ()
    """Globs of tools that its sessions never see; wins over `allowed`."""

    @property
    def rules(self) -> ToolRules:
        return ToolRules(allowed=self.allowed, denied=self.denied)


def is_persona_name(text: str) -> bool:
    """1 to 64 letters, digits, blanks and `_.+-`, in any script."""
    return _NAME.fullmatch(text) is not None and text.strip(". ") != ""


def personas_note(personas: Sequence[Persona], chosen: str, *, most_tokens: int) -> str:
    """The personas as the system prompt lists them, so that the person can ask for them; empty when there are none.

    Args:
        personas: all there are.
        chosen: the session's own; empty when it has none.
        most_tokens: of the list, by estimate; descriptions go first.
    """
    if not personas:
        return ""
    described = "; ".join(f"{one.name} ({one.description})" if one.description else one.name for one in personas)
    most = most_tokens * _CHARS_PER_TOKEN
    listed = described if len(described) <= most else "; ".join(one.name for one in personas)
    if len(listed) > most:
        listed = listed[:most].rpartition("; ")[0] + " and others"
    own = f" This session has {chosen}." if any(one.name == chosen for one in personas) else ""
    return f"Ways of answering that the person can choose for a new session (personas): {listed}.{own}"
