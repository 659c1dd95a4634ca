"""Settings of the tools that ship with the gateway: `[builtin]`."""

from cetp_gateway.settings.values import Section


class BuiltinSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which of the gateway's own tools are offered, and what they may reach. All of them are listed in
    `builtin/all_tools.py`.
    """

    enabled: tuple[str, ...] = ("*",)
    """Globs of names; no other built-in tool is offered. run_command needs policy.allowed_commands besides: there is
    nothing that it could run without."""
    disabled: tuple[str, ...] = ()
    """Globs of names that are not offered; wins over `enabled`."""
