"""Misbehaviour on demand: what kinds there are, how they are written, and when one strikes.

Knows nothing of sockets; `misbehaviour` carries faults out.
"""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import msgspec

from cetp_gateway.errors import CetpError


class FaultKind(msgspec.Struct, frozen=True):
    """One way to misbehave, for the table that people are shown."""

    name: str
    sentence: str
    unit: str = ""
    """What the amount counts; empty when the fault has none."""
    amount: int = 0
    """The amount unless told otherwise."""
    alone: bool = False
    """Strikes by itself once the tools are registered, unless it is limited to calls."""


FAULTS = {
    kind.name: kind
    for kind in (
        FaultKind("never", "Never answers the call."),
        FaultKind("twice", "Sends the same answer two times."),
        FaultKind("late", "Holds the answer back, whatever deadline or cancellation says.", "milliseconds", 60_000),
        FaultKind("huge", "Answers with a result of this size, whatever the gateway's limit is.", "bytes", 5_000_000),
        FaultKind("invalid-utf8", "Answers with a text frame whose bytes are not UTF-8."),
        FaultKind("bad-json", "Answers with half a JSON text."),
        FaultKind("unknown-id", "Answers under an id that nobody asked for."),
        FaultKind("drop", "Cuts the connection in the middle of the call, without a close frame."),
        FaultKind(
            "many-tools", "Registers so many more tools one by one, each frame repeating all before.", "tools", 500
        ),
        FaultKind(
            "flood",
            "Sends so many answers that nobody asked for, as fast as the socket takes them.",
            "frames",
            10_000,
            True,
        ),
        FaultKind("stop-reading", "Leaves the socket open but reads nothing more from it, not even pings.", alone=True),
        FaultKind("half-open", "Goes silent as if the network were lost: reads nothing, answers nothing.", alone=True),
    )
}
"""Every fault by its name."""

MANY_TOOLS = "many-tools"
SILENCING = frozenset({"stop-reading", "half-open"})
"""Faults after which the phone notices nothing more of its gateway."""

_WRITTEN = re.compile(r"(?P<kind>[a-z0-9-]+)(=(?P<amount>[0-9]+))?(@(?P<tool>[^#]+))?(#(?P<nth>[1-9][0-9]*))?")
FORM = "NAME[=AMOUNT][@TOOL][#N], for instance late=3000@notes__*#2"


class UnknownFault(CetpError):
    """A fault is written wrongly or does not exist."""

    code = "UNKNOWN_FAULT"


class Fault(msgspec.Struct, frozen=True):
    """One fault and when it strikes."""

    kind: str
    amount: int = 0
    """In the unit of its kind; 0 takes the kind's own amount."""
    tool: str = "*"
    """Glob of wire names."""
    nth: int = 0
    """Only the n-th call that fits; 0 means every one."""

    def __post_init__(self) -> None:
        """Refuse what does not exist."""
        if self.kind not in FAULTS:
            raise UnknownFault(f"there is no fault {self.kind!r}; there are {', '.join(FAULTS)}")

    @property
    def worth(self) -> int:
        """The amount that counts."""
        return self.amount or FAULTS[self.kind].amount

    @property
    def by_call(self) -> bool:
        """Whether a call has to come for it to strike."""
        return self.kind != MANY_TOOLS and (not FAULTS[self.kind].alone or self.tool != "*" or self.nth > 0)


def read_fault(text: str) -> Fault:
    """Read `NAME[=AMOUNT][@TOOL][#N]`.

    Raises:
        UnknownFault: the text is not of this form, or the fault does not exist or has no amount.
    """
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise UnknownFault(f"{text!r} is no fault; write {FORM}")
    fault = Fault(written["kind"], int(written["amount"] or 0), written["tool"] or "*", int(written["nth"] or 0))
    if written["amount"] and not FAULTS[fault.kind].unit:
        raise UnknownFault(f"the fault {fault.kind} takes no amount")
    return fault


class FaultPlan:
    """The faults of one phone; counts calls over all its connections."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._faults = list(faults)
        self._seen = [0] * len(self._faults)

    def for_call(self, tool: str) -> Sequence[Fault]:
        """Count a call and say what strikes it."""
        striking = []
        for index, fault in enumerate(self._faults):
            if fault.by_call and fnmatchcase(tool, fault.tool):
                self._seen[index] += 1
                if fault.nth in (0, self._seen[index]):
                    striking.append(fault)
        return striking

    @property
    def once_registered(self) -> Sequence[Fault]:
        """What strikes as soon as a connection's tools are registered."""
        return [fault for fault in self._faults if not fault.by_call and fault.kind != MANY_TOOLS]

    @property
    def many_tools(self) -> int:
        """How many tools are registered one by one besides the real ones."""
        return sum(fault.worth for fault in self._faults if fault.kind == MANY_TOOLS)

    @property
    def silences(self) -> bool:
        """Whether the phone may go silent; it then must not notice it by itself."""
        return any(fault.kind in SILENCING for fault in self._faults)
