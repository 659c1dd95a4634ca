"""Which settings a running gateway can take over, and which it has to be started anew for.

Plain functions of values. Above: `assemble`. Below: `schema`.
"""

from typing import Any, Final

import msgspec

from cetp_gateway.settings.schema import Settings

LIVE_SECTIONS: Final = frozenset(
    {"model", "usage", "budget", "agent", "tools", "builtin", "policy", "hooks", "limits", "skills", "reload", "log"}
)
FIXED: Final = frozenset({"usage.keep_days", "limits.message_bytes"})
"""Keys of those sections that are read at start alone."""


def in_force(running: Settings, wanted: Settings, *, fixed_sections: frozenset[str] = frozenset()) -> Settings:
    """What a running gateway makes of new settings: those that it can take over, the others as they were."""
    sections: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        old, new = getattr(running, field.name), getattr(wanted, field.name)
        live = field.name in LIVE_SECTIONS and field.name not in fixed_sections
        sections[field.name] = _with_fixed(field.name, old, new) if live else old
    return Settings(**sections)


def differing(one: Settings, other: Settings) -> tuple[str, ...]:
    """The settings that are not the same, as `section.key`, in the order of the schema."""
    return tuple(
        f"{section.name}.{field.name}"
        for section in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(section.type)
        if getattr(getattr(one, section.name), field.name) != getattr(getattr(other, section.name), field.name)
    )


def _with_fixed(section: str, old: Any, new: Any) -> Any:
    kept = {
        field.name: getattr(old, field.name)
        for field in msgspec.structs.fields(type(new))
        if f"{section}.{field.name}" in FIXED
    }
    return msgspec.structs.replace(new, **kept) if kept else new
