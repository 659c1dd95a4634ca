"""Circuits: an action that fails again and again rests for a while (pipe 7.4).

No clock of its own: seconds are given in, of any clock that never goes back. Used by both sides.
"""

import math
from enum import StrEnum

import msgspec

from cetp_gateway.pipe.values import Done, Ended, Failed
from cetp_spec.pipe import PipeCode, rule

MAX_FAILURES = 10
"""In a row; the next one opens the circuit."""
MAX_INTERNAL = 1
"""Failures of the family INTERNAL in a row: one and its retry, then the circuit opens."""
REST_S = 30.0


class CircuitState(StrEnum):
    """Whether an action is carried out."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    """The next one is a trial."""


class CircuitNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A circuit has opened or closed again: for the log and for whoever looks after the host."""

    action: str
    state: CircuitState
    code: str = ""
    """Of the last failure; empty when it closed."""
    failures: int = 0
    """In a row."""
    rest_s: float = 0.0
    """How long it stays open."""

    def __str__(self) -> str:
        if self.state is CircuitState.CLOSED:
            return f"{self.action} works again"
        return f"{self.action} failed {self.failures} times in a row, last with {self.code}; rests {self.rest_s:g} s"


class _Circuit:
    __slots__ = ("failures", "internal", "open_until", "state")

    def __init__(self) -> None:
        self.state = CircuitState.CLOSED
        self.failures = 0
        self.internal = 0
        self.open_until = 0.0


class Circuits:
    """The circuits of all actions. `rest_s`: seconds that one stays open."""

    def __init__(self, rest_s: float = REST_S) -> None:
        self._rest_s = rest_s
        self._circuits: dict[str, _Circuit] = {}

    def state(self, action: str, now: float) -> CircuitState:
        """What a command of this action would meet now."""
        circuit = self._circuits.get(action)
        if circuit is None:
            return CircuitState.CLOSED
        if circuit.state is CircuitState.OPEN and now >= circuit.open_until:
            circuit.state = CircuitState.HALF_OPEN
        return circuit.state

    def refusal(self, action: str, now: float) -> Failed | None:
        """None when a command of this action may be carried out now."""
        if self.state(action, now) is not CircuitState.OPEN:
            return None
        left_ms = math.ceil((self._circuits[action].open_until - now) * 1000)
        text = f"{action} failed too often in a row and rests for {left_ms} ms more"
        return Failed(PipeCode.INTERNAL_CIRCUIT_OPEN, text, {"retry_after_ms": left_ms})

    def record(self, action: str, ended: Ended, now: float) -> CircuitNotice | None:
        """Take note of what became of a command; what there is to tell, if anything."""
        if isinstance(ended, Done):
            return self._succeeded(action)
        if not rule(ended.code).counts:
            return None
        circuit = self._circuits.setdefault(action, _Circuit())
        circuit.failures += 1
        circuit.internal = circuit.internal + 1 if rule(ended.code).family == "INTERNAL" else 0
        tired = circuit.failures > MAX_FAILURES or circuit.internal > MAX_INTERNAL
        if circuit.state is not CircuitState.HALF_OPEN and not tired:
            return None
        circuit.state = CircuitState.OPEN
        circuit.open_until = now + self._rest_s
        return CircuitNotice(
            action=action, state=circuit.state, code=ended.code, failures=circuit.failures, rest_s=self._rest_s
        )

    def _succeeded(self, action: str) -> CircuitNotice | None:
        circuit = self._circuits.pop(action, None)
        if circuit is None or circuit.state is CircuitState.CLOSED:
            return None
        return CircuitNotice(action=action, state=CircuitState.CLOSED)
