"""Hooks around calls: in order, able to change and to forbid, never able to break a call by a fault after it."""

import asyncio
import logging

import msgspec
import pytest

from cetp_gateway.agent import HookFactories, LogHook, outcome_kind, run_call
from cetp_gateway.api import Answered, CallContext, Denied, Hook, Outcome, Refused, ToolCall
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.schema import Settings
from support.agent_fakes import BOUND_S, PHONE, Gate, LocalTool, LocalTools, answers, context_until
from support.recording_hook import RecordingHook

TOLD = {"say": "hello"}


async def call(tool: LocalTool, *hooks: Hook, seconds: float = BOUND_S) -> Outcome:
    async with asyncio.timeout(BOUND_S):
        return await run_call(
            "search", TOLD, tools=LocalTools(tool), hooks=hooks, context=context_until(seconds, caller="rest")
        )


def saying(words: object) -> RecordingHook:
    return RecordingHook(change=lambda call: ToolCall(call.tool, {"say": words}))


@pytest.mark.requirement("runtime.abstractions.hook", "runtime.loop.after-hook")
async def test_hooks_see_a_call_before_and_after_it() -> None:
    tool, hook = LocalTool("search"), RecordingHook()

    assert await call(tool, hook) == Answered("hello")
    assert hook.asked == [ToolCall(tool.spec, TOLD)]
    assert hook.told == [("answered", ToolCall(tool.spec, TOLD))]


class PlainHook:
    """Both methods are plain functions."""

    name = "plain"

    def __init__(self) -> None:
        self.told: list[str] = []

    def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        return ToolCall(call.tool, {"say": "plainly"}) if context.caller == "rest" else Denied("no", "plain")

    def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:
        self.told.append(outcome_kind(outcome))


async def test_a_hook_that_never_waits_may_have_plain_functions() -> None:
    hook, last = PlainHook(), RecordingHook()

    assert await call(LocalTool("search"), hook, last) == Answered("plainly")
    assert hook.told == ["answered"]
    assert last.asked[0].arguments == {"say": "plainly"}


@pytest.mark.requirement("runtime.loop.before-hook", "runtime.security.hook-stops")
async def test_each_hook_gets_the_arguments_as_the_one_before_left_them() -> None:
    tool, last = LocalTool("search"), RecordingHook()

    assert await call(tool, saying("other"), last) == Answered("other")
    assert last.asked[0].arguments == {"say": "other"}
    assert last.told[0][1].arguments == {"say": "other"}


@pytest.mark.requirement("runtime.loop.before-hook", "runtime.security.hook-stops")
async def test_a_hook_can_forbid_a_call_and_all_hooks_learn_of_it() -> None:
    async def no() -> Denied:
        return Denied("not at night", "night")

    tool, first, last = LocalTool("search"), RecordingHook(), RecordingHook()

    assert await call(tool, first, RecordingHook("night", before=no), last) == Denied("not at night", "night")
    assert tool.ran_with == []
    assert last.asked == []
    assert [kind for kind, _ in first.told + last.told] == ["denied", "denied"]


async def test_arguments_changed_to_ones_that_do_not_fit_forbid_the_call() -> None:
    tool = LocalTool("search")

    outcome = await call(tool, saying(7))

    assert isinstance(outcome, Denied)
    assert outcome.by == "recording"
    assert tool.ran_with == []


async def test_a_hook_cannot_put_another_tool_in_the_place_of_the_called_one() -> None:
    tool, other, last = LocalTool("search"), LocalTool("other"), RecordingHook()

    await call(tool, RecordingHook(change=lambda call: ToolCall(other.spec, {"say": "x"})), last)

    assert last.asked[0].tool.name == "search"
    assert (len(tool.ran_with), other.ran_with) == (1, [])


async def test_a_hook_that_fails_before_a_call_means_no(caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise RuntimeError("broken rule")

    tool = LocalTool("search")

    outcome = await call(tool, RecordingHook("rules", before=fails))

    assert isinstance(outcome, Denied)
    assert (outcome.by, tool.ran_with) == ("rules", [])
    assert "broken rule" not in outcome.reason
    assert "broken rule" in caplog.text


async def test_a_hook_that_answers_nonsense_means_no() -> None:
    async def nonsense() -> str:
        return "sure"

    outcome = await call(LocalTool("search"), RecordingHook(before=nonsense))

    assert isinstance(outcome, Denied)
    assert "str" in outcome.reason


async def test_a_hook_that_does_not_decide_by_the_deadline_means_no() -> None:
    waiting = asyncio.Event()
    tool = LocalTool("search")

    outcome = await call(tool, RecordingHook("slow", before=waiting.wait), seconds=0.01)

    assert isinstance(outcome, Denied)
    assert (outcome.by, tool.ran_with) == ("slow", [])


async def test_a_hook_that_fails_after_a_call_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise RuntimeError("disk full")

    last = RecordingHook()

    assert await call(LocalTool("search"), RecordingHook("audit", after=fails), last) == Answered("hello")
    assert last.told
    assert "disk full" in caplog.text


async def test_a_hook_that_lets_a_cancellation_slip_does_not_cancel_the_caller() -> None:
    async def slips() -> None:
        raise asyncio.CancelledError

    before = await call(LocalTool("search"), RecordingHook(before=slips))
    after = await call(LocalTool("search"), RecordingHook(after=slips))

    assert outcome_kind(before) == "cancelled"
    assert after == Answered("hello")


async def test_the_log_hook_writes_who_called_what_and_how_it_ended_but_no_data(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    refuses = LocalTool("search", answers(Refused("AUTH_REQUIRED", "private words")), origin=PHONE)

    await call(refuses, LogHook())

    [line] = [record.getMessage() for record in caplog.records if "call-1" in record.getMessage()]
    assert all(part in line for part in ("search", "rest", "refused", "call-1", " ms"))
    assert "hello" not in line
    assert "private" not in line


async def test_the_log_hook_tells_of_calls_that_were_denied_or_cancelled(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    gate, hook = Gate(), LogHook()
    running = asyncio.create_task(call(LocalTool("search", gate), hook))
    async with asyncio.timeout(BOUND_S):
        await gate.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    async def no() -> Denied:
        return Denied("no", "rules")

    await call(LocalTool("search"), hook, RecordingHook(before=no))

    assert "cancelled" in caplog.text
    assert "denied" in caplog.text


def with_hooks(*names: str) -> Settings:
    return msgspec.convert({"agent": {"hooks": names}}, Settings)


class NoteFactory:
    name = "note"

    def create(self, settings: Settings) -> Hook:
        return RecordingHook(f"note for port {settings.server.port}")


@pytest.mark.requirement("runtime.abstractions.hook-config")
def test_hooks_are_made_from_the_settings_in_their_order() -> None:
    factories = HookFactories.default()
    factories.register(NoteFactory())

    hooks = factories.create(with_hooks("note", "log"))

    assert [hook.name for hook in hooks] == ["note for port 42617", "log"]


def test_an_unknown_hook_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(SettingsError, match=r"agent\.hooks.*'lgo'.*'log'"):
        HookFactories.default().create(with_hooks("lgo"))


def test_a_hook_named_twice_is_refused() -> None:
    with pytest.raises(SettingsError, match="twice"):
        HookFactories.default().create(with_hooks("log", "log"))


def test_a_factorys_name_can_be_taken_once() -> None:
    factories = HookFactories([NoteFactory()])
    with pytest.raises(ValueError, match="note"):
        factories.register(NoteFactory())
