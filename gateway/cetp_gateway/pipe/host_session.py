"""A host's session with one agent: lines in, what is to be done out (pipe 5). No I/O and no clock.

Above: `host_link`, which reads, writes, carries out and kills. Below: `receiver`, `circuit`.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from cetp_gateway.pipe.circuit import CircuitNotice, Circuits
from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.frozen import VERSION
from cetp_gateway.pipe.lines import Line, TooLarge
from cetp_gateway.pipe.numbering import number_in
from cetp_gateway.pipe.receiver import Receiver, Refusal
from cetp_gateway.pipe.session_end import SessionEnd, SessionState
from cetp_gateway.pipe.signing import Signer
from cetp_gateway.pipe.strict_json import NotJson, read_object
from cetp_gateway.pipe.values import Command, Ended, Failed
from cetp_spec.pipe import PipeCode

_SHOWN_CHARS = 32

_encode = msgspec.json.Encoder().encode


class Acknowledged(msgspec.Struct, frozen=True):
    """The agent is ready; the session runs."""

    agent_id: str
    announced: tuple[str, ...]


Event = Acknowledged | Command | Refusal | SessionEnd
"""What a line means: the session runs, a command to carry out, a refusal to send, or the end of the session."""


class HostSession:
    """One session, from `init` to its end.

    Args:
        seed: `hmac_seed`, 64 to 128 lower-case hex digits; of a random source, used once.
        offered: actions that the executor can carry out.
        circuits: those of the host, which outlast the session.
        domains: the host's list; None allows all.
    """

    def __init__(
        self, seed: str, *, offered: Collection[str], circuits: Circuits, domains: Collection[str] | None = None
    ) -> None:
        self._seed = seed
        self._signer = Signer(seed)
        self._offered = offered
        self._circuits = circuits
        self._domains = domains
        self._receiver: Receiver | None = None

    def opening(self) -> bytes:
        """The line `init`, with its line feed. Secret: it holds the seed."""
        return _encode({"type": "init", "version": VERSION, "hmac_seed": self._seed}) + b"\n"

    def receive(self, line: Line, now: float) -> Event:
        """Take one line; never raises. `now`: seconds of a clock that never goes back."""
        if self._receiver is None:
            return self._first(line)
        event = self._receiver.receive(line)
        if isinstance(event, Refusal):
            return event
        refusal = self._circuits.refusal(event.action, now)
        return event if refusal is None else Refusal(event.seq, refusal)

    def silent(self) -> SessionEnd:
        """HANDSHAKE_S have gone by without `init_ack`."""
        text = "no init_ack came in time"
        return SessionEnd(state=SessionState.CRASHED, code=PipeCode.PIPE_HANDSHAKE_TIMEOUT, message=text)

    def record(self, command: Command, ended: Ended, now: float) -> CircuitNotice | None:
        """A command has ended; what there is to tell the UI."""
        return self._circuits.record(command.action, ended, now)

    def _first(self, line: Line) -> Event:
        if isinstance(line, TooLarge):
            return _failed(PipeCode.PIPE_MESSAGE_TOO_LARGE, "the first line of the agent is too large")
        try:
            message = read_object(line)
        except NotJson as wrong:
            text = f"the first line of the agent is no message ({wrong}); logs belong on standard error"
            return _failed(PipeCode.PIPE_INVALID_JSON, text)
        if message.get("type") == "command":
            return Refusal(number_in(message), Failed(PipeCode.PIPE_NOT_READY, "init_ack has not come yet"))
        return self._acknowledgement(message)

    def _acknowledgement(self, message: dict[str, Any]) -> Event:
        version = message.get("version")
        if message.get("type") == "init_ack" and isinstance(version, str) and version != VERSION:
            text = f"the agent speaks version {version[:_SHOWN_CHARS]!r}, this host {VERSION!r}"
            return _failed(PipeCode.PIPE_VERSION_MISMATCH, text)
        problem = misfit("init-ack", message)
        if problem:
            return _failed(PipeCode.PIPE_SCHEMA_INVALID, f"init_ack: {problem}")
        announced = tuple(message["supported_actions"])
        self._receiver = Receiver(self._signer, offered=self._offered, announced=announced, domains=self._domains)
        return Acknowledged(message["agent_id"], announced)


def _failed(code: PipeCode, message: str) -> SessionEnd:
    return SessionEnd(state=SessionState.FAILED, code=code, message=message)
