"""The vectors (pipe 12) played against a running host."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from cetp_gateway.pipe.check.findings import Point, Unfit
from cetp_gateway.pipe.check.programs import HostUnderTest, host_under_test
from cetp_gateway.pipe.check.talk import command, failure, signed
from cetp_gateway.pipe.forms import misfit
from cetp_gateway.pipe.frozen import HANDSHAKE_S
from cetp_spec.pipe.vectors import Conversation, Step, refused_hmacs
from cetp_spec.pipe.vectors import refused_lines as line_cases

RUN_BY_POINT = {
    "numbers": Point.NUMBERS,
    "refused_lines_go_on": Point.NUMBERS,
    "large": Point.SIZES,
    "version": Point.VERSIONS,
    "version_first": Point.VERSIONS,
}
"""Conversations that belong to one of the seven points."""
_BROWSER_S = 45.0
_KILL_S = HANDSHAKE_S + 5


def play(program: Sequence[str], conversation: Conversation) -> Callable[[], Awaitable[str]]:
    """A check that plays one conversation, with the checker as the agent."""

    async def run() -> str:
        async with host_under_test(program) as host:
            for number, step in enumerate(conversation.steps[1:], start=2):
                try:
                    await _step(host, step)
                except Unfit as why:
                    raise Unfit(f"{conversation.file}, step {number}: {why}") from None
        return conversation.file

    return run


async def _step(host: HostUnderTest, step: Step) -> None:
    talk, content = host.talk, step.content
    match step.kind:
        case "agent":
            await talk.say(content)
        case "agent_text":
            await talk.say_line(content.encode())
        case "agent_padded":
            line = msgspec.json.encode(signed(content["message"], talk.seed))
            await talk.say_line(line.ljust(content["bytes"]))
        case "host":
            answer = await talk.expect(content, _BROWSER_S)
            if problem := misfit("response", answer):
                raise Unfit(f"the response does not fit its schema: {problem}")
        case "host_kills":
            await talk.expect_end(_KILL_S)
        case "agent_closes":
            await host.leave()


async def refused_lines(host: HostUnderTest) -> str:
    """All refused lines in one session: those about numbers first, since each refused line widens what may come."""
    cases = sorted(line_cases(), key=lambda case: "SEQ" not in case.code)
    for case in cases:
        await host.talk.say_line(case.line)
        try:
            answer = await host.talk.expect(failure(case.seq, case.code))
        except Unfit as why:
            raise Unfit(f"{case.description}: {why}") from None
        if problem := misfit("response", answer):
            raise Unfit(f"{case.description}: the response does not fit its schema: {problem}")
    await _still_works(host)
    return f"{len(cases)} lines, and the next command works"


async def unfit_signatures(host: HostUnderTest) -> str:
    """All that is no signature, in one session."""
    cases = refused_hmacs()
    for case in cases:
        message = command(1, "getPage", {})
        message["security"] = {"expected_domain": "example.org"} | ({} if case.sent is False else {"hmac": case.sent})
        await host.talk.say_line(msgspec.json.encode(message))
        try:
            await host.talk.expect(failure(1, case.code))
        except Unfit as why:
            raise Unfit(f"{case.description}: {why}") from None
    await _still_works(host)
    return f"{len(cases)} of them, and the next command works"


async def _still_works(host: HostUnderTest) -> None:
    await host.talk.say(command(1, "getPage", {}))
    await host.talk.expect({"seq": 1, "type": "response"}, _BROWSER_S)
