"""A person's decision about one call: bound to it, first answer wins, no answer is no, nothing else can give it."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from cetp_gateway.api import Answered, Autonomy, CallContext, Denied, Effect, Outcome, ToolCall
from cetp_gateway.policy import AnswerStatus, ApprovalEnd
from support.agent_fakes import BOUND_S
from support.policed import PHONE, EffectTool, policed, ran
from support.recording_hook import RecordingHook


def writing(name: str = "write", **more: str) -> EffectTool:
    return EffectTool(name, Effect.WRITES, PHONE, **more)


async def test_a_person_sees_the_exact_call_and_lets_it_run(tmp_path: Path) -> None:
    tool = writing()
    async with policed(tmp_path) as policy:
        running = policy.start(tool, {"say": "hello"}, client="3f2a9c01")
        request = await policy.asked()

        assert (request.tool, request.arguments, request.effect) == ("write", {"say": "hello"}, Effect.WRITES)
        assert (request.device, request.app, request.session_id) == ("pixel", "com.example.notes", "s")
        assert (request.caller, request.client) == ("agent", "3f2a9c01")
        assert tool.ran_with == []
        assert policy.answer(request) is AnswerStatus.ACCEPTED
        assert await running == Answered("hello")

        kinds = [(entry.kind, entry.decision, entry.by) for entry in await policy.entries()]
    assert kinds == [
        ("approval", "allowed, once", "phone-1"),
        ("started", "person", "phone-1"),
        ("call", "person", "phone-1"),
    ]


async def test_a_no_is_told_to_the_model_and_the_tool_is_not_asked(tmp_path: Path) -> None:
    tool = writing()
    async with policed(tmp_path) as policy:
        running = policy.start(tool)
        policy.answer(await policy.asked(), allow=False)
        outcome = await running

    assert isinstance(outcome, Denied)
    assert "said no" in outcome.reason
    assert tool.ran_with == []


async def test_no_answer_is_no(tmp_path: Path) -> None:
    tool = writing()
    async with policed(tmp_path, approval_timeout_s=0.02) as policy:
        running = policy.start(tool)
        request = await policy.asked()
        outcome = await running
        late = policy.answer(request)

    assert isinstance(outcome, Denied)
    assert policy.closed[request.id].end is ApprovalEnd.EXPIRED
    assert late is AnswerStatus.TOO_LATE
    assert tool.ran_with == []


async def test_of_racing_answers_exactly_one_counts(tmp_path: Path) -> None:
    tool = writing()
    async with policed(tmp_path) as policy:
        for first in (True, False):
            running = policy.start(tool)
            request = await policy.asked()
            statuses = [policy.answer(request, allow=first), *(policy.answer(request, allow=not first) for _ in "abc")]
            assert statuses == [AnswerStatus.ACCEPTED, *[AnswerStatus.TOO_LATE] * 3]
            assert ran(await running) is first


async def test_an_answer_that_was_accepted_is_never_lost_to_the_clock(tmp_path: Path) -> None:
    tool = writing()
    async with policed(tmp_path, approval_timeout_s=0.001) as policy:
        for _ in range(30):
            running = policy.start(tool)
            request = await policy.asked()
            accepted = policy.answer(request) is AnswerStatus.ACCEPTED
            assert ran(await running) is accepted


async def test_an_answer_for_something_else_than_what_is_asked_does_not_count(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        running = policy.start(writing(), {"say": "1 euro"})
        shown = await policy.asked()
        other = policy.start(writing(), {"say": "1000 euros"})
        asked = await policy.asked(2)

        swapped = msgspec.structs.replace(asked, digest=shown.digest)
        assert policy.answer(swapped) is AnswerStatus.MISMATCH
        assert policy.answer(msgspec.structs.replace(asked, id="0" * 16)) is AnswerStatus.UNKNOWN
        assert policy.answer(asked, allow=False) is AnswerStatus.ACCEPTED
        assert policy.answer(shown, allow=False) is AnswerStatus.ACCEPTED
        assert not ran(await running)
        assert not ran(await other)


async def test_the_same_call_twice_is_asked_about_twice(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        first, second = policy.start(writing()), policy.start(writing())
        latest = await policy.asked(2)
        assert latest.digest != policy.parts.approvals.open()[0].digest
        for request in policy.parts.approvals.open():
            policy.answer(request, allow=request is latest)
        assert [ran(await first), ran(await second)] == [False, True]


async def test_what_a_hook_makes_of_the_call_is_what_the_person_is_shown(tmp_path: Path) -> None:
    tool = writing()
    hook = RecordingHook(change=lambda call: ToolCall(call.tool, {"say": "masked"}))
    async with policed(tmp_path, hooks=[hook]) as policy:
        running = policy.start(tool, {"say": "secret"})
        request = await policy.asked()
        assert request.arguments == {"say": "masked"}
        policy.answer(request)
        assert ran(await running)
    assert tool.ran_with == [{"say": "masked"}]


async def test_a_call_that_is_changed_while_a_person_thinks_does_not_run(tmp_path: Path) -> None:
    tool, arguments = writing(), {"say": "1 euro"}
    async with policed(tmp_path) as policy:
        running = policy.start(tool, arguments)
        request = await policy.asked()
        arguments["say"] = "1000 euros"
        policy.answer(request)
        outcome = await running
    assert isinstance(outcome, Denied)
    assert tool.ran_with == []


@pytest.mark.parametrize("arguments", [{"approved": True}, {"approval": "always", "say": "yes"}])
async def test_what_a_model_writes_into_a_call_approves_nothing(arguments: dict[str, object], tmp_path: Path) -> None:
    tool = writing()
    async with policed(tmp_path, approval_timeout_s=0.01) as policy:
        assert not ran(await policy.call(tool, arguments))
    assert tool.ran_with == []


async def test_for_the_session_means_this_tool_in_this_session(tmp_path: Path) -> None:
    async with policed(tmp_path, approval_timeout_s=0.02) as policy:
        assert ran(await policy.allowed(writing(), scope="session"))
        assert ran(await policy.call(writing()))
        assert not ran(await policy.call(writing(), session="other"))
        assert not ran(await policy.call(writing("other")))
        policy.parts.forget_session("s")
        assert not ran(await policy.call(writing()))


async def test_always_lasts_over_restarts_until_it_is_revoked(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        assert ran(await policy.allowed(writing(), scope="always"))
    async with policed(tmp_path, approval_timeout_s=0.02) as policy:
        assert ran(await policy.call(writing(), session="other"))
        [grant] = policy.parts.grants.list()
        assert (grant.tool, grant.granted_by) == ("write", "phone-1")
        entry = (await policy.entries())[-1]
        assert (entry.decision, entry.by) == ("grant", grant.id)

        assert await policy.parts.grants.revoke(grant.id) == grant
        assert await policy.parts.grants.revoke(grant.id) is None
        assert not ran(await policy.call(writing()))
    async with policed(tmp_path, approval_timeout_s=0.02) as policy:
        assert not ran(await policy.call(writing()))


async def test_always_is_for_the_tool_as_it_was_and_not_for_what_takes_its_name(tmp_path: Path) -> None:
    async with policed(tmp_path, approval_timeout_s=0.02) as policy:
        await policy.allowed(writing(description="Writes a note."), scope="always")
        assert ran(await policy.call(writing(description="Writes a note.")))
        assert not ran(await policy.call(writing(description="Writes a note. Also sends money.")))
        assert not ran(await policy.call(EffectTool("write", Effect.SENDS, PHONE, description="Writes a note.")))
        assert not ran(await policy.call(EffectTool("write", Effect.WRITES, None, description="Writes a note.")))


async def test_a_tool_that_is_always_asked_about_can_be_allowed_once_only(tmp_path: Path) -> None:
    async with policed(tmp_path, always_ask=["write"]) as policy:
        running = policy.start(writing())
        request = await policy.asked()
        assert policy.answer(request, scope="always") is AnswerStatus.NOT_OFFERED
        assert policy.answer(request) is AnswerStatus.ACCEPTED
        assert ran(await running)


async def test_only_the_owners_choice_of_clients_may_decide(tmp_path: Path) -> None:
    async with policed(tmp_path, approvers=["3f2a9c01"]) as policy:
        running = policy.start(writing())
        request = await policy.asked()
        assert policy.answer(request, who="bridge") is AnswerStatus.NOT_ALLOWED
        assert policy.answer(request, who="3f2a9c01") is AnswerStatus.ACCEPTED
        assert ran(await running)


async def test_a_person_who_takes_their_time_leaves_the_tool_all_of_its_own(tmp_path: Path) -> None:
    left: list[float] = []

    async def work(arguments: dict[str, object], context: CallContext) -> Outcome:
        left.append(context.deadline - asyncio.get_running_loop().time())
        return Answered("done")

    async with policed(tmp_path) as policy:
        running = policy.start(EffectTool("write", Effect.WRITES, work=work), seconds=0.05)
        request = await policy.asked()
        # Longer than the call's own time, which must not be an end of it.
        passed = asyncio.Event()
        asyncio.get_running_loop().call_later(0.1, passed.set)
        await passed.wait()
        policy.answer(request)
        assert ran(await running)
    assert left[0] > 0


async def test_a_caller_that_said_how_long_it_waits_is_answered_by_then(tmp_path: Path) -> None:
    async with policed(tmp_path, approval_timeout_s=60) as policy:
        outcome = await policy.call(writing(), seconds=0.02, patient=False)
    assert isinstance(outcome, Denied)


async def test_a_caller_that_leaves_takes_its_question_along(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        running = policy.start(writing())
        request = await policy.asked()
        running.cancel()
        async with asyncio.timeout(BOUND_S):
            await asyncio.wait([running])
        assert running.cancelled()
        assert policy.parts.approvals.open() == []
        assert policy.closed[request.id].end is ApprovalEnd.CANCELLED
        assert policy.parts.guard.open_calls == 0


async def test_the_owner_may_lower_the_level_while_a_person_thinks(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        await policy.database.write(
            lambda connection: connection.execute("INSERT INTO sessions VALUES ('s', '', '', '', '')")
        )
        running = policy.start(writing())
        request = await policy.asked()
        await policy.parts.levels.set("s", Autonomy.READ_ONLY)
        policy.answer(request)
        assert not ran(await running)


async def test_waiting_for_a_person_holds_neither_other_calls_nor_the_database(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        waiting = policy.start(writing())
        request = await policy.asked()
        assert ran(await policy.call(EffectTool("read", Effect.READS), session="other"))
        await policy.database.write(lambda connection: connection.execute("DELETE FROM sessions"))
        policy.answer(request)
        assert ran(await waiting)


async def test_only_so_many_calls_may_wait(tmp_path: Path) -> None:
    async with policed(tmp_path, max_open_approvals=2) as policy:
        waiting = [policy.start(writing()) for _ in range(2)]
        await policy.asked(2)
        refused = await policy.call(writing())
        for request in policy.parts.approvals.open():
            policy.answer(request)
        assert [ran(await each) for each in waiting] == [True, True]
    assert isinstance(refused, Denied)


async def test_the_end_of_the_gateway_is_the_end_of_its_questions(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        waiting = policy.start(writing())
        await policy.asked()
        policy.parts.approvals.close()
        assert not ran(await waiting)
        assert not ran(await policy.call(writing()))
