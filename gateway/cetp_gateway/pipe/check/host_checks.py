"""What is asked of a host: the seven points, the vectors, and actions on a page of the checker's own."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from cetp_gateway.pipe.check.checks import Check
from cetp_gateway.pipe.check.findings import Point, Unfit
from cetp_gateway.pipe.check.host_vectors import RUN_BY_POINT, play, refused_lines, unfit_signatures
from cetp_gateway.pipe.check.logs import check_followed, check_names
from cetp_gateway.pipe.check.page import served_page
from cetp_gateway.pipe.check.programs import HostUnderTest, host_under_test
from cetp_gateway.pipe.check.talk import command, failure
from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.frozen import HANDSHAKE_S
from cetp_gateway.pipe.lines import MAX_LINE_BYTES
from cetp_spec.pipe import actions
from cetp_spec.pipe.vectors import conversations

ACKNOWLEDGEMENT = {
    "type": "init_ack",
    "version": "1.0",
    "agent_id": "5e1f8a52-3a5c-4d0e-9a4b-0d6c1f2e3a4b",
    "supported_actions": list(actions()),
}
_STEADILY = 3
_KILL_S = HANDSHAKE_S + 5
_ACTION_S = 45.0
_LEAST = 0.99
_ENDLESS_BYTES = 16 * MAX_LINE_BYTES


class HostChecks:
    """All checks of one host.

    Args:
        command: its program and arguments; the agent's go to the end, or where `{agent}` stands.
        handshakes: how many in a row.
        rounds: of the four core actions.
    """

    def __init__(self, command: Sequence[str], *, handshakes: int, rounds: int) -> None:
        self._command = command
        self._handshakes = handshakes
        self._rounds = rounds

    def all(self) -> list[Check]:
        """In the order of the points."""
        checks = [
            Check(Point.HANDSHAKES, f"{self._handshakes} sessions, a command in each", self._shakes_hands),
            Check(Point.HANDSHAKES, "an agent that says nothing is ended after 5000 ms", self._ends_the_silent),
            Check(Point.VERSIONS, f"an agent of version 1.1, {_STEADILY} times", self._refuses_versions),
            Check(Point.SIZES, "a line of 16 MB", self._skips_the_endless),
            Check(Point.ACTIONS, f"{self._rounds} rounds of navigate, type, click, getText", self._acts),
            Check(Point.STRUCTURE, "lines that are no commands", self._refuses_lines),
            Check(Point.STRUCTURE, "signatures that are none", self._refuses_signatures),
            Check(Point.LOGS, "request, execution and response", self._logs),
        ]
        for conversation in conversations():
            if "host" in conversation.tests and not conversation.needs_page:
                point = RUN_BY_POINT.get(conversation.file, Point.VECTORS)
                checks.append(Check(point, conversation.description, play(self._command, conversation)))
        return sorted(checks, key=lambda check: check.point)

    async def _shakes_hands(self) -> str:
        for number in range(1, self._handshakes + 1):
            try:
                async with host_under_test(self._command) as host:
                    await host.talk.say(ACKNOWLEDGEMENT)
                    await host.talk.say(command(1, "getPage", {}))
                    await host.talk.expect({"seq": 1, "type": "response"}, _ACTION_S)
            except Unfit as why:
                raise Unfit(f"session {number}: {why}") from None
        return f"{self._handshakes} of {self._handshakes}"

    async def _ends_the_silent(self) -> str:
        async with host_under_test(self._command) as host:
            began = asyncio.get_running_loop().time()
            await host.talk.expect_end(_KILL_S)
            return f"after {asyncio.get_running_loop().time() - began:.1f} s"

    async def _refuses_versions(self) -> str:
        for _ in range(_STEADILY):
            async with host_under_test(self._command) as host:
                await host.talk.say({**ACKNOWLEDGEMENT, "version": "1.1"})
                await host.talk.say(command(1, "getPage", {}))
                await host.talk.expect_end(_KILL_S)
                await host.leave()
                check_names(host.log, "PIPE_VERSION_MISMATCH")
        return f"{_STEADILY} of {_STEADILY}"

    async def _skips_the_endless(self) -> str:
        async with self._running() as host:
            await host.talk.say_line(b"x" * _ENDLESS_BYTES)
            await host.talk.expect(failure(0, "PIPE_MESSAGE_TOO_LARGE"))
            await host.talk.say(command(1, "getPage", {}))
            await host.talk.expect({"seq": 1, "type": "response"}, _ACTION_S)
        return "one answer, and the next command works"

    async def _acts(self) -> str:
        failed: list[str] = []
        count = 0
        async with served_page() as domain, self._running() as host:
            for number in range(self._rounds):
                for action, params, wanted in _round(domain, number):
                    count += 1
                    await host.talk.say(command(count, action, params, domain))
                    answer = await host.talk.expect({"seq": count, "type": "response"}, _ACTION_S)
                    failed += _shortcoming(action, answer, wanted)
        share = 1 - len(failed) / count
        if share < _LEAST:
            raise Unfit(f"{share:.1%} of {count} succeeded; the first failure: {failed[0]}")
        return f"{count - len(failed)} of {count}"

    async def _refuses_lines(self) -> str:
        async with self._running() as host:
            return await refused_lines(host)

    async def _refuses_signatures(self) -> str:
        async with self._running() as host:
            return await unfit_signatures(host)

    async def _logs(self) -> str:
        async with self._running() as host:
            for seq in (1, 2, 3):
                await host.talk.say(command(seq, "getPage", {}))
                await host.talk.expect({"seq": seq, "type": "response"}, _ACTION_S)
            await host.leave()
            return check_followed(host.log, (1, 2, 3), 3)

    def _running(self) -> "_Running":
        return _Running(self._command)


class _Running:
    """A host after the handshake."""

    def __init__(self, command: Sequence[str]) -> None:
        self._context = host_under_test(command)

    async def __aenter__(self) -> HostUnderTest:
        host = await self._context.__aenter__()
        await host.talk.say(ACKNOWLEDGEMENT)
        return host

    async def __aexit__(self, *reason: Any) -> None:
        await self._context.__aexit__(*reason)


def _round(domain: str, number: int) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Actions, their params, and what their results must say."""
    name = f"Ada {number} 读取 שלום"
    return [
        ("navigate", {"url": f"http://{domain}/{number}"}, {"status": 200, "title": "Check"}),
        ("type", {"selector": "#name", "text": name}, {}),
        ("click", {"selector": "#greet"}, {}),
        ("getText", {"selector": "#out"}, {"text": f"Hello {name}", "truncated": False}),
    ]


def _shortcoming(action: str, answer: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Nothing, or a sentence on why this answer is no success."""
    problem = misfit("response", answer)
    if not problem and answer["success"]:
        problem = misfit(f"result/{action}", answer.get("result", {}))
        said = {key: answer.get("result", {}).get(key) for key in wanted}
        if not problem and said == wanted:
            return []
    return [f"{action}: {problem or msgspec.json.encode(answer).decode()[:300]}"]
