"""Plays a conversation against a host's session: its agent, its browser and its clock."""

from collections import deque
from typing import Any

import msgspec

from cetp_gateway.pipe import CircuitNotice, Circuits, Command, Done, Ended, Failed, SessionEnd
from cetp_gateway.pipe.answers import response
from cetp_gateway.pipe.frozen import HANDSHAKE_S
from cetp_gateway.pipe.host_session import Acknowledged, HostSession
from cetp_gateway.pipe.lines import LineFramer
from cetp_gateway.pipe.receiver import Refusal
from cetp_spec.pipe import actions
from cetp_spec.pipe.vectors import Conversation
from support.pipe_messages import assert_fits, signed

BLANK = Failed("MAC_DOMAIN_MISMATCH", "the browser has no page yet")


class HostPlayer:
    """One conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._seed = conversation.seed
        self._steps = conversation.steps
        self._session = HostSession(self._seed, offered=actions(), circuits=Circuits())
        self._lines = LineFramer()
        self._now = 100.0
        self._running = False
        self._command: Command | None = None
        self._said: deque[bytes] = deque([self._session.opening()])
        self._told: deque[CircuitNotice] = deque()
        self._end: SessionEnd | None = None

    def play(self) -> None:
        for step in self._steps:
            getattr(self, f"do_{step.kind}")(step.content)
        assert not self._said
        assert not self._told

    def do_host(self, pattern: dict[str, Any]) -> None:
        if self._command is not None:
            self._carried_out(BLANK)
        line = self._said.popleft()
        assert line.endswith(b"\n")
        assert_fits(pattern, line)

    def do_agent(self, message: dict[str, Any]) -> None:
        self._hear(msgspec.json.encode(signed(message, self._seed)))

    def do_agent_text(self, text: str) -> None:
        self._hear(text.encode())

    def do_agent_padded(self, padded: dict[str, Any]) -> None:
        self._hear(msgspec.json.encode(signed(padded["message"], self._seed)).ljust(padded["bytes"]))

    def do_agent_closes(self, _: int) -> None:
        assert self._lines.finish() == 0
        assert self._end is None

    def do_host_kills(self, state: str) -> None:
        assert self._end is not None
        assert self._end.state == state
        assert self._end.code
        assert self._end.message

    def do_passes_ms(self, milliseconds: int) -> None:
        self._now += milliseconds / 1000
        if self._end is None and milliseconds >= HANDSHAKE_S * 1000 and self._running is False:
            self._end = self._session.silent()

    def do_runs(self, run: dict[str, Any]) -> None:
        assert self._command is not None
        assert self._command.action == run["action"]
        becomes = run["becomes"]
        self._carried_out(Done(becomes["result"]) if "result" in becomes else msgspec.convert(becomes["error"], Failed))

    def do_circuit(self, told: dict[str, str]) -> None:
        notice = self._told.popleft()
        assert {"action": notice.action, "state": notice.state} == told

    def _hear(self, line: bytes) -> None:
        for whole in self._lines.feed(line + b"\n"):
            match self._session.receive(whole, self._now):
                case Command() as command:
                    self._command = command
                case Refusal(seq, failure):
                    self._said.append(response(seq, failure))
                case Acknowledged():
                    self._running = True
                case SessionEnd() as end:
                    self._end = end

    def _carried_out(self, ended: Ended) -> None:
        assert self._command is not None
        command, self._command = self._command, None
        notice = self._session.record(command, ended, self._now)
        if notice is not None:
            self._told.append(notice)
        self._said.append(response(command.seq, ended))
