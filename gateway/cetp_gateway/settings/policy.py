"""Settings of what may be done and what is written down of it: `[policy]`, `[audit]` and `[hooks]`."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from cetp_gateway.api import Autonomy
from cetp_gateway.settings.values import Count, Seconds, Section


class PolicySettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an agent may do on its own, and who decides about the rest."""

    autonomy: Autonomy = Autonomy.SUPERVISED
    """read_only: tools that only read. supervised: those, and the others when a person allows the call. full: all."""
    clients: tuple[str, ...] = ()
    """`CLIENT=LEVEL` each: another level for a paired device (by its id), for `local`, or for an entrance: `agent`
    (chat), `rest`, `webhook`, `schedule`. The strictest that fits the caller holds, together with the session's own."""
    ask_unmarked: bool = False
    """True: supervised asks also before tools of a device that declares no effect, which is how ClawSeed's own clients
    register theirs. read_only never runs those."""
    always_ask: tuple[str, ...] = ()
    """Globs of public names: a person is asked each time, also by tools that only read, also with full autonomy."""
    allowed_commands: tuple[str, ...] = ()
    """Commands that the tool run_command may run, such as `ls`, `git log *` or `/opt/tools/report`: a program by its
    name or absolute path and, when words follow, globs for its arguments, one for each; a last `*` is any further ones,
    and a program alone may have any. Other commands are not run, whoever allows them; empty leaves the tool out."""
    max_actions_per_hour: Annotated[int, Meta(ge=0, le=10_000)] = 1000
    """Tool calls of one session within any 60 minutes; outside sessions, those of one client whose tools are known to
    do more than read. 0 is no limit."""
    approval_timeout_s: Seconds = 120.0
    """Wait for a person's decision; no answer is no."""
    max_open_approvals: Count = 64
    """Calls that may wait for a person; further ones are denied."""
    approvers: tuple[str, ...] = ()
    """Ids of paired devices, or `local`, that may decide; empty lets everybody decide whom the gateway lets in."""


class AuditSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The trail of what was called, by whom and with what outcome. It is always kept; only its content is a choice."""

    content: bool = False
    """True: arguments and results are kept in full text and not as hashes alone."""
    retention_days: Annotated[int, Meta(ge=0, le=36_500)] = 365
    """Older entries are removed; 0 keeps all."""
    flush_s: Annotated[float, Meta(ge=0.01, le=60)] = 0.5
    """Longest time that the entry of a call stays in memory whose tool only reads, or declares no effect and needs no
    person; what a crash can lose. Other calls are written down before they run and before their caller is answered."""


class HookSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What configured hooks are told."""

    options: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    """By a hook's name, whatever it asks its owner for."""
