"""Hosts with one fault each: `python pipe_odd_host.py FAULT AGENT…`. What the checker must find."""

import secrets
import subprocess
import sys
import time
from typing import IO, Any

import msgspec

from cetp_gateway.pipe import Circuits, Command, Done, Ended, Failed, SessionEnd
from cetp_gateway.pipe.answers import response
from cetp_gateway.pipe.host_session import HostSession
from cetp_gateway.pipe.lines import MAX_LINE_BYTES, TOO_LARGE
from cetp_gateway.pipe.receiver import Refusal
from cetp_spec.pipe import actions

NO_PAGE = Failed("MAC_DOMAIN_MISMATCH", "there is no page")


class Host:
    def __init__(self, fault: str, agent: list[str]) -> None:
        self._fault = fault
        self._agent = subprocess.Popen(agent, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._session = HostSession(secrets.token_hex(32), offered=actions(), circuits=Circuits())

    def run(self) -> int:
        assert self._agent.stdin is not None
        assert self._agent.stdout is not None
        self._write(self._agent.stdin, self._session.opening())
        while line := self._agent.stdout.readline():
            said = self._answer_to(self._changed(line.removesuffix(b"\n")))
            if said is None:
                self._log("PIPE_VERSION_MISMATCH or another fault of the agent")
                self._agent.kill()
                return 1
            self._write(self._agent.stdin, said)
        return self._agent.wait()

    def _changed(self, line: bytes) -> bytes:
        return line.replace(b'"version":"1.1"', b'"version":"1.0"') if self._fault == "any_version" else line

    def _answer_to(self, line: bytes) -> bytes | None:
        large = len(line) > MAX_LINE_BYTES and self._fault != "no_limit"
        match self._session.receive(TOO_LARGE if large else line, time.monotonic()):
            case Command() as command:
                for word in ("request", "execution", "response"):
                    self._log(f"seq={command.seq} {word}")
                return response(command.seq, self._carried_out(command))
            case Refusal(seq, failure):
                return self._refusal(seq, failure)
            case SessionEnd():
                return None
            case _:
                return b""

    def _carried_out(self, command: Command) -> Ended:
        return Done({"text": "", "truncated": False}) if self._fault == "always_done" else NO_PAGE

    def _refusal(self, seq: int, failure: Failed) -> bytes:
        if self._fault == "bare_text":
            answer: dict[str, Any] = {"seq": seq, "type": "response", "success": False, "error": failure.message}
            return msgspec.json.encode(answer) + b"\n"
        passed_over = {"any_number": "PIPE_SEQ", "unchecked": "MAC_ACTION"}.get(self._fault)
        if passed_over and failure.code.startswith(passed_over):
            return response(seq, NO_PAGE)
        return response(seq, failure)

    def _log(self, text: str) -> None:
        if self._fault != "mute":
            print(text, file=sys.stderr, flush=True)

    def _write(self, stream: IO[bytes], line: bytes) -> None:
        stream.write(line)
        stream.flush()


if __name__ == "__main__":
    sys.exit(Host(sys.argv[1], sys.argv[2:]).run())
