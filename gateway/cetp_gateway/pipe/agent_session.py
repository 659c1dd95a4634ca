"""An agent's session with its host: numbers and signs commands, matches answers to them (pipe 5). No I/O, no clock.

Above: `agent_link`, which reads, writes and waits. Below: JSON, signatures, responses.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from cetp_gateway.pipe.answers import read_response
from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.frozen import VERSION
from cetp_gateway.pipe.lines import MAX_LINE_BYTES, Line, TooLarge
from cetp_gateway.pipe.numbering import number_in
from cetp_gateway.pipe.retries import UNANSWERED
from cetp_gateway.pipe.signing import Signer, signed_text
from cetp_gateway.pipe.stable_json import Unstable, settled, written
from cetp_gateway.pipe.strict_json import NotJson, read_object
from cetp_gateway.pipe.values import Ended, Failed
from cetp_spec.pipe import PipeCode, rule

_SHOWN_CHARS = 32

_encode = msgspec.json.Encoder().encode


class Ready(msgspec.Struct, frozen=True):
    """`init` was right; `line` is the `init_ack` to write."""

    line: bytes


class Answered(msgspec.Struct, frozen=True):
    """The command that waited has its answer."""

    seq: int
    ended: Ended
    over: bool = False
    """The agent has lost count and must end (pipe 5.3)."""


class Dropped(msgspec.Struct, frozen=True):
    """A line that answers nothing that waits: for the log."""

    seq: int
    """0 when the line has none."""
    failure: Failed


class Unfit(msgspec.Struct, frozen=True):
    """The handshake failed: the agent must end, after it has written `line` if there is one."""

    failure: Failed
    line: bytes = b""


Event = Ready | Answered | Dropped | Unfit


class CannotSend(ValueError):
    """The command cannot be written as a message; `failure` says why. No number was used up."""

    def __init__(self, code: PipeCode, message: str) -> None:
        super().__init__(message)
        self.failure = Failed(code, message)


class AgentSession:
    """One session, from `init` on.

    Args:
        agent_id: UUID version 4, new for every session.
        supported_actions: what this agent may ask for.
    """

    def __init__(self, agent_id: str, supported_actions: Sequence[str]) -> None:
        self._agent_id = agent_id
        self._supported = list(supported_actions)
        self._signer: Signer | None = None
        self._last = 0
        self._waiting = 0
        self._unreadable: Failed | None = None

    @property
    def ready(self) -> bool:
        """The handshake is done."""
        return self._signer is not None

    @property
    def last(self) -> int:
        """The number of the latest command; 0 before the first."""
        return self._last

    def send(self, action: str, params: Mapping[str, Any], expected_domain: str) -> tuple[int, bytes]:
        """The number of a new command, and its line with the line feed. It waits for its answer from then on.

        Raises:
            CannotSend: before the handshake, or when the params have no stable form or are too large.
        """
        if self._signer is None:
            raise CannotSend(PipeCode.PIPE_NOT_READY, "the host has not said init yet")
        seq = self._last + 1
        try:
            plain = settled(dict(params))
            text = signed_text(seq, action, written(plain), expected_domain)
        except Unstable as wrong:
            raise CannotSend(PipeCode.PIPE_SCHEMA_INVALID, f"params: {wrong}") from None
        security = {"expected_domain": expected_domain, "hmac": self._signer.sign(text)}
        line = _encode({"seq": seq, "type": "command", "action": action, "params": plain, "security": security})
        if len(line) > MAX_LINE_BYTES:
            text_ = f"the command has {len(line)} bytes and a message {MAX_LINE_BYTES} at most"
            raise CannotSend(PipeCode.PIPE_MESSAGE_TOO_LARGE, text_)
        self._last = self._waiting = seq
        self._unreadable = None
        return seq, line + b"\n"

    def give_up(self, seq: int) -> Failed:
        """No answer came in time, or nobody wants it any more; it will be dropped when it comes."""
        self._forget(seq)
        unreadable, self._unreadable = self._unreadable, None
        details = {UNANSWERED: True}
        if unreadable is not None:
            return Failed(unreadable.code, f"no answer that could be read: {unreadable.message}", details)
        return Failed(PipeCode.INTERNAL_UNKNOWN, "the host gave no answer in time; the command may have run", details)

    def closed(self, seq: int) -> Failed:
        """The pipe has ended while this command waited."""
        self._forget(seq)
        text = "the pipe to the browser has ended; the command may have run"
        return Failed(PipeCode.PIPE_CLOSED, text, {UNANSWERED: True})

    def receive(self, line: Line) -> Event:
        """Take one line; never raises."""
        try:
            message = _message(line)
        except _Unread as wrong:
            return self._misread(wrong.failure)
        if self._signer is None:
            return self._first(message)
        return self._answer(message)

    def _forget(self, seq: int) -> None:
        if self._waiting == seq:
            self._waiting = 0

    def _misread(self, failure: Failed) -> Event:
        if self._signer is None:
            return Unfit(failure)
        self._unreadable = failure
        return Dropped(0, failure)

    def _answer(self, message: dict[str, Any]) -> Event:
        seq = number_in(message)
        if message.get("type") != "response" or (not seq and message.get("seq") != 0):
            text = "the host's line is no response with a number"
            return self._misread(Failed(PipeCode.PIPE_SCHEMA_INVALID, text))
        waits = self._waiting
        if not waits or seq not in {waits, 0}:
            text = f"a response to {seq}, which does not wait for one"
            return Dropped(seq, Failed(PipeCode.INTERNAL_UNKNOWN, text))
        self._waiting = 0
        ended = read_response(message)
        return Answered(waits, ended, over=isinstance(ended, Failed) and rule(ended.code).ends != "")

    def _first(self, message: dict[str, Any]) -> Event:
        version = message.get("version")
        if message.get("type") == "init" and isinstance(version, str) and version != VERSION:
            text = f"the host speaks version {version[:_SHOWN_CHARS]!r}, this agent {VERSION!r}"
            return Unfit(Failed(PipeCode.PIPE_VERSION_MISMATCH, text), self._acknowledgement())
        problem = misfit("init", message)
        if problem:
            return Unfit(Failed(PipeCode.PIPE_SCHEMA_INVALID, f"init: {problem}"))
        self._signer = Signer(message["hmac_seed"])
        return Ready(self._acknowledgement())

    def _acknowledgement(self) -> bytes:
        said = {
            "type": "init_ack",
            "version": VERSION,
            "agent_id": self._agent_id,
            "supported_actions": self._supported,
        }
        return _encode(said) + b"\n"


class _Unread(ValueError):
    """A line that is no message."""

    def __init__(self, code: PipeCode, message: str) -> None:
        super().__init__(message)
        self.failure = Failed(code, message)


def _message(line: Line) -> dict[str, Any]:
    if isinstance(line, TooLarge):
        raise _Unread(PipeCode.PIPE_MESSAGE_TOO_LARGE, f"a line of more than {MAX_LINE_BYTES} bytes came")
    try:
        return read_object(line)
    except NotJson as wrong:
        raise _Unread(PipeCode.PIPE_INVALID_JSON, str(wrong)) from None
