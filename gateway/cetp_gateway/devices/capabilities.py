"""Our extensions of the ClawSeed wire protocol: used only where client and gateway both have them.

A client lists what it has in `connect`; `connected` repeats those that this gateway has too. Plain ClawSeed clients
list none of ours and notice nothing.
"""

from collections.abc import Iterable
from enum import StrEnum


class Capability(StrEnum):
    """Names as they stand in `connect.capabilities` and `connected.capabilities`."""

    REGISTRATION = "cetp.registration"
    """`tools_registered` says per tool what became of it."""
    UNREGISTER = "cetp.unregister"
    """The client may send `unregister_tools {"names": […]}`, and `register_tools` with `"replace": true`."""
    CANCEL = "cetp.cancel"
    """The gateway sends `tool_call_cancel {"id"}` when nobody waits for a call any more."""
    DEADLINE = "cetp.deadline"
    """`tool_call_request` carries `deadline_ms` (milliseconds left when it was sent) and the `call_id` of the logs."""
    SHARED = "cetp.shared"
    """The client's tools are offered to every session, not only to the turns of its own socket."""
    READ_ONLY = "cetp.read_only"
    """The client promises CETP v1's read-only contract for its tools (spec 3)."""
    NOTICES = "cetp.notices"
    """The gateway sends `tools_changed {"revision"}` when the tools of anybody change."""
    APPROVALS = "cetp.approvals"
    """The gateway sends `approval_request` when a person has to decide about a call, and the client may answer."""
    QUESTIONS = "cetp.questions"
    """The gateway sends `ask_user_request` when a model asks the person something, and the client may answer."""


NO_CAPABILITIES: frozenset[Capability] = frozenset()
_BY_NAME = {capability.value: capability for capability in Capability}
_sets: dict[frozenset[Capability], frozenset[Capability]] = {NO_CAPABILITIES: NO_CAPABILITIES}


def granted(offered: Iterable[str]) -> frozenset[Capability]:
    """Those of ours among what a client offers. Equal answers are one object: a thousand phones cost one set."""
    ours = frozenset(_BY_NAME[name] for name in offered if name in _BY_NAME)
    return _sets.setdefault(ours, ours)
