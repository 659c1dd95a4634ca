"""What is asked of an agent: the seven points as far as they are its own, with the checker as its host."""

from collections.abc import Sequence
from typing import Any

from cetp_gateway.pipe.check.checks import CannotTry, Check
from cetp_gateway.pipe.check.findings import Point, Unfit
from cetp_gateway.pipe.check.logs import check_followed, check_names
from cetp_gateway.pipe.check.programs import AgentUnderTest, agent_under_test
from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.frozen import CLOSE_S, HANDSHAKE_S
from cetp_gateway.pipe.lines import MAX_LINE_BYTES
from cetp_gateway.pipe.receiver import Receiver
from cetp_gateway.pipe.signing import Signer
from cetp_gateway.pipe.values import Command
from cetp_spec.pipe import actions, rule

_STEADILY = 3
_ACK_S = HANDSHAKE_S
_TASK_S = 60.0
"""For an agent to think of its first command, or of the next one."""
_EARLY_S = 0.05
"""So much earlier than it must a retry may come: clocks differ."""


class AgentChecks:
    """All checks of one agent.

    Args:
        command: its program and arguments; what makes it ask for something belongs to them.
        handshakes: how many in a row.
    """

    def __init__(self, command: Sequence[str], *, handshakes: int) -> None:
        self._command = command
        self._handshakes = handshakes

    def all(self) -> list[Check]:
        """In the order of the points."""
        return [
            Check(Point.HANDSHAKES, f"{self._handshakes} sessions, closed by the host", self._shakes_hands),
            Check(Point.HANDSHAKES, "ends when no init comes within 5000 ms", self._ends_without_init),
            Check(Point.VERSIONS, f"a host of version 2.0, {_STEADILY} times", self._refuses_versions),
            Check(Point.NUMBERS, "commands are numbered, signed and of the right form", self._commands),
            Check(Point.NUMBERS, "answers to nothing are dropped", self._drops_strangers),
            Check(Point.NUMBERS, "ends when it has lost count", self._ends_when_lost),
            Check(Point.SIZES, "a line above 1 MB before the answer", self._skips_large_lines),
            Check(Point.ACTIONS, "CMD_SELECTOR_TIMEOUT is tried again after 500 and 1000 ms", self._tries_again),
            Check(Point.STRUCTURE, "an error as bare text does not break it", self._survives_bare_text),
            Check(Point.LOGS, "request and response", self._logs),
            Check(Point.VECTORS, "first lines that are no init", self._refuses_first_lines),
        ]

    async def _shakes_hands(self) -> str:
        ids = set()
        for number in range(1, self._handshakes + 1):
            async with agent_under_test(self._command) as agent:
                try:
                    ids.add((await _welcomed(agent))["agent_id"])
                    status = await agent.end_by_closing()
                except Unfit as why:
                    raise Unfit(f"session {number}: {why}") from None
            if status != 0:
                raise Unfit(f"session {number}: after its input was closed the agent ended with status {status}")
        if len(ids) != self._handshakes:
            raise Unfit("an agent_id came twice")
        return f"{self._handshakes} of {self._handshakes}"

    async def _ends_without_init(self) -> str:
        async with agent_under_test(self._command) as agent:
            _must_fail(await agent.end_by_itself(HANDSHAKE_S + CLOSE_S))
        return "with another status than 0"

    async def _refuses_versions(self) -> str:
        for _ in range(_STEADILY):
            async with agent_under_test(self._command) as agent:
                await agent.welcome(version="2.0")
                await agent.talk.expect({"type": "init_ack", "version": "1.0"}, _ACK_S)
                await agent.talk.expect_end(CLOSE_S)
                _must_fail(await agent.end_by_itself(CLOSE_S))
                check_names(agent.log, "PIPE_VERSION_MISMATCH")
        return f"{_STEADILY} of {_STEADILY}"

    async def _commands(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            taken: Command | None = await host.next_command()
            seqs = []
            while taken is not None:
                seqs.append(taken.seq)
                await host.answer(taken, "CMD_FRAME_NOT_FOUND")
                taken = await host.maybe_command() if len(seqs) < 3 else None
        if seqs != list(range(1, len(seqs) + 1)):
            raise Unfit(f"the numbers were {seqs}")
        return f"{len(seqs)} commands"

    async def _drops_strangers(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            first = await host.next_command()
            for seq in (first.seq + 7, max(first.seq - 1, 1) + 8):
                await agent.talk.say({"seq": seq, "type": "response", "success": True, "result": {}})
            await host.stays_silent(1.0)
            await host.answer(first, "CMD_FRAME_NOT_FOUND")
            await host.answer(first, "CMD_FRAME_NOT_FOUND")
            second = await host.maybe_command()
        if second is not None and second.seq != first.seq + 1:
            raise Unfit(f"after {first.seq} came {second.seq}")
        return "made up and second ones"

    async def _ends_when_lost(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            await host.answer(await host.next_command(), "PIPE_SEQ_OUT_OF_ORDER")
            await agent.talk.expect_end(_TASK_S)
            _must_fail(await agent.end_by_itself(_TASK_S))
        return "with another status than 0"

    async def _skips_large_lines(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            first = await host.next_command()
            await agent.talk.say_line(b"x" * (MAX_LINE_BYTES + 1))
            await host.stays_silent(1.0)
            await host.answer(first, "CMD_FRAME_NOT_FOUND")
            await _goes_on(host, agent)
        return "it goes on"

    async def _tries_again(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            first = await host.next_command()
            failed = first
            for wait_ms in rule("CMD_SELECTOR_TIMEOUT").waits_ms:
                await host.answer(failed, "CMD_SELECTOR_TIMEOUT")
                await host.stays_silent(wait_ms / 1000 - _EARLY_S)
                failed = await host.next_command()
                if (failed.action, failed.params) != (first.action, first.params):
                    raise Unfit(f"after {first.action} came {failed.action} in place of the retry")
        return "the same command with new numbers"

    async def _survives_bare_text(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            first = await host.next_command()
            await agent.talk.say({"seq": first.seq, "type": "response", "success": False, "error": "no"})
            await _goes_on(host, agent)
        return "it goes on"

    async def _logs(self) -> str:
        async with agent_under_test(self._command) as agent:
            host = await _running(agent)
            first = await host.next_command()
            await host.answer(first, "CMD_FRAME_NOT_FOUND")
            await _goes_on(host, agent)
            await agent.end_by_closing()
            return check_followed(agent.log, (first.seq,), 2)

    async def _refuses_first_lines(self) -> str:
        lines = (b"hello", b"{}", b'{"type":"init","version":"1.0","hmac_seed":"00"}', b"\xff")
        for line in lines:
            async with agent_under_test(self._command) as agent:
                await agent.talk.say_line(line)
                await agent.talk.expect_end(CLOSE_S)
                _must_fail(await agent.end_by_itself(CLOSE_S))
        return f"{len(lines)} of {len(lines)}"


class _Host:
    """The checker as a host, after the handshake."""

    def __init__(self, agent: AgentUnderTest, announced: Sequence[str]) -> None:
        self._agent = agent
        self._receiver = Receiver(Signer(agent.talk.seed), offered=actions(), announced=announced)

    async def next_command(self) -> Command:
        """The next command. Raises CannotTry when none comes."""
        taken = await self.maybe_command()
        if taken is None:
            raise CannotTry("it asked for nothing: give it a task that needs the browser")
        return taken

    async def maybe_command(self) -> Command | None:
        """The next command; None when the agent ends or has nothing more to ask."""
        try:
            line = await self._agent.talk.next_line(_TASK_S)
        except Unfit:
            line = None
        if line is None:
            return None
        taken = self._receiver.receive(line)
        if not isinstance(taken, Command):
            raise Unfit(f"a host must refuse its command: {taken.failure.code}, {taken.failure.message}")
        return taken

    async def answer(self, command: Command, code: str) -> None:
        """Answer with a failure."""
        error = {"code": code, "message": "said by the checker"}
        await self._agent.talk.say({"seq": command.seq, "type": "response", "success": False, "error": error})

    async def stays_silent(self, seconds: float) -> None:
        """Nothing may come for so long. Raises Unfit."""
        try:
            line = await self._agent.talk.next_line(seconds)
        except Unfit:
            return
        raise Unfit("the agent ended too early" if line is None else f"a line came too early: {line!r:.200}")


async def _welcomed(agent: AgentUnderTest) -> dict[str, Any]:
    await agent.welcome()
    acknowledgement = await agent.talk.hear(_ACK_S)
    if problem := misfit("init-ack", acknowledgement):
        raise Unfit(f"init_ack: {problem}")
    return acknowledgement


async def _running(agent: AgentUnderTest) -> _Host:
    acknowledgement = await _welcomed(agent)
    return _Host(agent, acknowledgement["supported_actions"])


async def _goes_on(host: _Host, agent: AgentUnderTest) -> None:
    """It asks for the next thing, or has come to an end as it should."""
    if await host.maybe_command() is None:
        try:
            status = await agent.end_by_itself(CLOSE_S)
        except Unfit:
            return
        if status != 0:
            raise Unfit(f"the agent ended with status {status}, as if it had crashed")


def _must_fail(status: int) -> None:
    if status == 0:
        raise Unfit("the agent ended with status 0, as if all were well")
