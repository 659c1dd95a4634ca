"""The loop of a turn: ask, run the calls, ask again; how it ends for each reason."""

import asyncio

import pytest

from cetp_gateway.agent import STEP_FOR_STOP_REASON, TurnLimits
from cetp_gateway.agent.stop_reasons import LAST_STEP, NOTICE_FOR_STEP, NextStep
from cetp_gateway.api import (
    Answered,
    Arguments,
    AssistantMessage,
    CallContext,
    CallsAnnounced,
    CallsFinished,
    Outcome,
    PromptBuilt,
    StopReason,
    TextSaid,
    Thought,
    ToolResults,
    ToolUse,
    Usage,
    UserMessage,
)
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.agent_fakes import BOUND_S, LocalTool, turn
from support.odd_models import SilentModel, UnendingModel

SEARCH = ToolUse("c1", "search", {"say": "three notes"})


def calling(*calls: ToolUse, text: str = "") -> ScriptedStep:
    return ScriptedStep(text=text, calls=calls)


@pytest.mark.requirement("runtime.loop.text-ends")
async def test_an_answer_of_plain_text_ends_the_turn() -> None:
    model = ScriptedModel([ScriptedStep(thinking="hm", text="Nothing is due today.")])

    run = await turn(model).finish()

    assert (run.said, run.record.text, run.record.partial) == ("Nothing is due today.", "Nothing is due today.", "")
    assert [step.message.text for step in run.record.steps] == ["Nothing is due today."]
    assert Thought("hm") in run.events
    assert len(model.requests) == 1


async def test_the_first_piece_is_out_while_the_model_still_writes() -> None:
    hold = Hold()
    run = turn(ScriptedModel([ScriptedStep(text="first", hold=hold)]))

    running = run.start()
    async with asyncio.timeout(BOUND_S):
        await hold.reached.wait()
    assert (run.said, run.record.partial, run.record.steps) == ("first", "first", [])
    hold.released.set()
    await running
    assert run.record.partial == ""


@pytest.mark.requirement("runtime.loop.native", "runtime.loop.results-back")
async def test_results_go_back_until_the_model_answers_with_text() -> None:
    model = ScriptedModel(
        [
            calling(SEARCH, text="One. "),
            calling(ToolUse("c2", "search", {"say": "four"}), text="Two. "),
            ScriptedStep(text="Three."),
        ]
    )

    run = await turn(model, LocalTool("search"), history=[UserMessage("hi"), AssistantMessage("hello")]).finish()

    assert run.record.text == run.said == "One. Two. Three."
    asked = model.requests[2].messages
    assert asked[:3] == [UserMessage("hi"), AssistantMessage("hello"), UserMessage("what is due?")]
    assert [result.text for message in asked if isinstance(message, ToolResults) for result in message.results] == [
        "three notes",
        "four",
    ]
    assert [step.message.calls for step in run.record.steps] == [
        (SEARCH,),
        (ToolUse("c2", "search", {"say": "four"}),),
        (),
    ]
    assert [spec.name for spec in model.requests[0].tools] == ["search"]


async def test_calls_are_announced_before_they_run_and_finished_before_the_next_text() -> None:
    model = ScriptedModel([calling(SEARCH, text="Look. "), ScriptedStep(text="Done.")])

    run = await turn(model, LocalTool("search")).finish()

    kinds = [type(event) for event in run.events]
    assert kinds == [TextSaid, CallsAnnounced, CallsFinished, TextSaid]


async def test_the_models_stream_is_closed_before_the_calls_of_its_step_run() -> None:
    model = ScriptedModel([calling(SEARCH), ScriptedStep(text="Done.")])
    open_streams: list[int] = []

    async def look(arguments: Arguments, context: CallContext) -> Outcome:
        open_streams.append(model.open_streams)
        return Answered("seen")

    await turn(model, LocalTool("search", look)).finish()

    assert open_streams == [0]
    assert model.open_streams == 0


async def test_tokens_of_all_steps_are_added_up() -> None:
    usage = Usage(10, 3, 4)
    model = ScriptedModel(
        [ScriptedStep(calls=(SEARCH,), usage=usage), ScriptedStep(text="Done.", usage=Usage(20, 5, 10))]
    )

    run = await turn(model, LocalTool("search")).finish()

    assert run.record.usage == Usage(30, 8, 14)


@pytest.mark.parametrize("stop", list(StopReason))
def test_every_stop_reason_has_a_next_step(stop: StopReason) -> None:
    assert isinstance(STEP_FOR_STOP_REASON[stop], NextStep)


def test_every_way_to_end_has_words() -> None:
    assert set(NOTICE_FOR_STEP) == set(NextStep)


async def test_an_answer_cut_off_at_the_output_limit_says_so() -> None:
    run = await turn(ScriptedModel([ScriptedStep(text="The boiler was", stop=StopReason.LENGTH)])).finish()

    assert run.record.text.startswith("The boiler was\n\n[")
    assert "cut off" in run.record.text
    assert run.said == run.record.text


async def test_complete_calls_before_the_output_limit_still_run() -> None:
    model = ScriptedModel([ScriptedStep(calls=(SEARCH,), stop=StopReason.LENGTH), ScriptedStep(text="Done.")])

    run = await turn(model, LocalTool("search")).finish()

    assert ([result.text for result in run.results], run.record.text) == (["three notes"], "Done.")


async def test_calls_with_the_wrong_stop_reason_still_run() -> None:
    model = ScriptedModel([ScriptedStep(calls=(SEARCH,), stop=StopReason.END), ScriptedStep(text="Done.")])

    run = await turn(model, LocalTool("search")).finish()

    assert run.announced == ["search"]


async def test_a_paused_step_goes_on_with_what_was_said() -> None:
    model = ScriptedModel([ScriptedStep(text="Half ", stop=StopReason.PAUSED), ScriptedStep(text="and half.")])

    run = await turn(model).finish()

    assert run.record.text == "Half and half."
    assert model.requests[1].messages[-1] == AssistantMessage("Half ")


async def test_a_model_that_pauses_for_ever_is_stopped_at_the_step_limit() -> None:
    paused = ScriptedStep(stop=StopReason.PAUSED)
    model = ScriptedModel([paused] * 3)

    run = await turn(model, limits=TurnLimits(max_steps=3)).finish()

    assert "limit of 3 steps" in run.record.text
    assert [step.message.text for step in run.record.steps] == [run.record.text]


async def test_a_refusal_ends_with_words_and_without_running_calls() -> None:
    tool = LocalTool("search")
    model = ScriptedModel([ScriptedStep(calls=(SEARCH,), stop=StopReason.REFUSED)])

    run = await turn(model, tool).finish()

    assert run.record.text == "[The model declined to answer.]"
    assert (run.announced, tool.ran_with) == ([], [])
    assert [step.message for step in run.record.steps] == [AssistantMessage("[The model declined to answer.]")]


async def test_an_empty_answer_is_told_and_never_enters_the_history_empty() -> None:
    model = ScriptedModel([calling(SEARCH), ScriptedStep(text=" \n")])

    run = await turn(model, LocalTool("search")).finish()

    assert run.record.steps[-1].message.text.strip() == "[The model ended without an answer.]"


async def test_the_last_step_asks_for_an_answer_with_what_is_there() -> None:
    model = ScriptedModel([calling(SEARCH), ScriptedStep(text="So far: three notes.")])

    run = await turn(model, LocalTool("search"), limits=TurnLimits(max_steps=2)).finish()

    assert [LAST_STEP in request.system for request in model.requests] == [False, True]
    assert model.requests[1].tools
    assert run.record.text == "So far: three notes."


async def test_calls_beyond_the_step_limit_are_not_run_and_the_turn_says_so() -> None:
    tool = LocalTool("search")
    model = ScriptedModel([calling(ToolUse(f"c{number}", "search", {})) for number in range(5)])

    run = await turn(model, tool, limits=TurnLimits(max_steps=3)).finish()

    assert (len(model.requests), len(tool.ran_with)) == (3, 2)
    assert "limit of 3 steps" in run.record.text
    assert run.said == run.record.text
    assert run.record.steps[-1].message.calls == ()


async def test_the_default_limit_is_25_steps() -> None:
    model = ScriptedModel([calling(ToolUse(f"c{number}", "search", {})) for number in range(30)])

    await turn(model, LocalTool("search")).finish()

    assert len(model.requests) == 25


async def test_a_half_built_call_never_runs_and_nothing_half_built_enters_the_history() -> None:
    tool = LocalTool("search")
    model = ScriptedModel(
        [
            calling(SEARCH),
            ScriptedStep(text="The sensor", calls=(SEARCH,), fails=ModelFailed(ModelFailure.OVERLOADED, "busy")),
        ]
    )
    run = turn(model, tool)

    with pytest.raises(ModelFailed, match="busy"):
        await run.finish()

    assert len(tool.ran_with) == 1
    assert [len(step.results) for step in run.record.steps] == [1]
    assert run.record.partial == "The sensor"


async def test_a_stream_that_just_stops_is_a_failed_turn() -> None:
    run = turn(UnendingModel("The sensor"))

    with pytest.raises(ModelFailed) as failed:
        await run.finish()

    assert failed.value.kind is ModelFailure.BROKEN_ANSWER
    assert run.record.steps == []


async def test_a_model_that_does_not_stream_is_heard_all_the_same() -> None:
    run = await turn(SilentModel("All at once.")).finish()

    assert (run.said, run.record.text) == ("All at once.", "All at once.")


async def test_the_prompt_is_shown_once_and_first_when_asked_for() -> None:
    model = ScriptedModel([calling(SEARCH), ScriptedStep(text="Done.")])

    run = await turn(model, LocalTool("search"), debug=True).finish()

    prompts = [event for event in run.events if isinstance(event, PromptBuilt)]
    assert prompts == [run.events[0]]
    assert prompts[0].messages == [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "what is due?"},
    ]
    assert prompts[0].estimated_tokens == (9 // 4 + 4) + (12 // 4 + 4)


async def test_without_debug_no_prompt_is_shown() -> None:
    run = await turn(ScriptedModel([ScriptedStep(text="Done.")])).finish()

    assert not any(isinstance(event, PromptBuilt) for event in run.events)


@pytest.mark.requirement("runtime.history.max")
async def test_the_model_is_sent_the_newest_messages_and_the_whole_system_prompt() -> None:
    history = [message for n in range(40) for message in (UserMessage(f"q{n}"), AssistantMessage(f"a{n}"))]
    model = ScriptedModel([ScriptedStep(text="Done.")])

    await turn(model, history=history).finish()

    request = model.requests[0]
    assert request.system == "You help."
    assert (len(request.messages), request.messages[0]) == (49, UserMessage("q16"))
    assert request.messages[-1] == UserMessage("what is due?")
