"""Calls in the text of models that have none of their own: every format, cut at every place."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelEvent,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    ThinkingDelta,
    ToolResult,
    ToolResults,
    ToolUse,
    UserMessage,
)
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.tool_text import MARKS, TextStep
from support.tool_text_cases import TOOLS, Case, load_cases

CASES = load_cases()
ENDING = [case for case in CASES if case.values[0].calls and not case.values[0].open_ended]


class Read:
    """What came out of one answer."""

    def __init__(self, events: Sequence[ModelEvent], failure: ModelFailed | None) -> None:
        self.shown = "".join(event.text for event in events if isinstance(event, TextDelta))
        self.thought = "".join(event.text for event in events if isinstance(event, ThinkingDelta))
        self.ended = next((event for event in events if isinstance(event, StepEnded)), None)
        self.failure = failure

    @property
    def calls(self) -> list[dict[str, Any]]:
        assert self.ended is not None
        return [
            {"name": call.name, "arguments": call.arguments, **({"problem": True} if call.problem else {})}
            for call in self.ended.message.calls
        ]


def read(case: Case, pieces: Sequence[str]) -> Read:
    """Let a model say these pieces."""
    step = TextStep(ModelRequest(system="", messages=_messages(case), tools=TOOLS))
    events: list[ModelEvent] = []
    stop = StopReason.LENGTH if case.cut else StopReason.END
    end = StepEnded(AssistantMessage("".join(pieces)), stop)
    try:
        for piece in pieces:
            events += step.take(TextDelta(piece))
        events += step.take(end)
    except ModelFailed as failed:
        return Read(events, failed)
    return Read(events, None)


def _messages(case: Case) -> list[Message]:
    messages: list[Message] = [UserMessage(case.question)]
    for number, text in enumerate(case.others):
        call = ToolUse(f"c{number}", "read_note", {})
        messages += [AssistantMessage("", (call,)), ToolResults((ToolResult(call.id, call.name, text),))]
    return messages


def check(case: Case, said: Read) -> None:
    if case.half:
        assert said.failure is not None, said.ended
        assert said.failure.kind is ModelFailure.BROKEN_ANSWER
        assert case.text.startswith(said.shown)
        return
    assert said.failure is None
    assert said.ended is not None
    assert said.ended.message.text == case.text
    assert said.shown == said.ended.message.text
    assert said.calls == case.calls
    assert said.thought == case.thought
    assert (said.ended.stop is StopReason.TOOL_USE) == bool(case.calls)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.requirement("runtime.loop.text-dispatch")
def test_an_answer_is_shown_without_its_markup_and_its_calls_are_found(case: Case) -> None:
    check(case, read(case, [case.answer]))


@pytest.mark.parametrize("case", CASES)
def test_where_the_stream_is_cut_makes_no_difference(case: Case) -> None:
    for cut in range(1, len(case.answer)):
        check(case, read(case, [case.answer[:cut], case.answer[cut:]]))
    check(case, read(case, list(case.answer)))


def test_a_piece_of_talk_is_shown_at_once_with_the_blank_at_its_end() -> None:
    step = TextStep(ModelRequest(system="", messages=[UserMessage("hello")], tools=TOOLS))
    shown = [list(step.take(TextDelta(piece))) for piece in ("first ", "second", " \t", "\n\n", "third ")]
    assert shown == [[TextDelta("first ")], [TextDelta("second")], [TextDelta(" \t")], [], [TextDelta("\n\nthird ")]]


@pytest.mark.parametrize("case", CASES)
def test_an_answer_that_stops_early_runs_no_half_call_and_shows_no_mark(case: Case) -> None:
    """At every length, told as cut off by the vendor: no call is made of it, and what is shown is a beginning."""
    for length in range(1, len(case.answer)):
        cut = Case(case.name, case.answer[:length], "", [], cut=True, question=case.question, others=case.others)
        said = read(cut, list(cut.answer))

        assert said.failure is None
        assert said.calls == []
        if case.calls and not case.open_ended:
            assert not any(mark in said.shown for mark in MARKS)


@pytest.mark.parametrize("case", ENDING)
def test_an_answer_that_ends_early_makes_whole_calls_only(case: Case) -> None:
    """The same, told as ended by itself, as broken servers do."""
    for length in range(1, len(case.answer)):
        early = Case(case.name, case.answer[:length], "", [], question=case.question, others=case.others)
        said = read(early, [early.answer])

        if said.failure is None:
            assert all(call in case.calls for call in said.calls), early.answer


@pytest.mark.parametrize(
    "text", ["<", "<tool_call>", "<tool_call>\n", "◁{}▷ ", "◁{x}▷ x\n", "`<tool_call>{", "[TOOL_CALLS]", "<function=a>"]
)
def test_a_model_that_repeats_itself_is_read_to_its_end(text: str) -> None:
    case = Case("again", text * 10_000, "", [])

    said = read(case, [case.answer[at : at + 4] for at in range(0, len(case.answer), 4)])

    assert said.failure is not None or said.ended is not None


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_mix_of_texts_and_marks_reads_the_same_however_it_is_cut(data: st.DataObject) -> None:
    parts = st.sampled_from([*MARKS, *_PARTS, "plain words ", "\n", "\n\n", " "])
    answer = "".join(data.draw(st.lists(parts, min_size=1, max_size=12)))
    case = Case("mixed", answer, "", [])
    whole, single = read(case, [answer]), read(case, list(answer))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(answer)), max_size=5)))
    some = read(case, [answer[a:b] for a, b in zip([0, *cuts], [*cuts, len(answer)], strict=True)])

    for other in (single, some):
        assert (other.failure is None) == (whole.failure is None)
        if whole.ended is not None and other.ended is not None:
            assert other.ended == whole.ended
            assert other.shown == whole.shown == whole.ended.message.text


_PARTS = [
    '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    '{"name": "get_time"',
    "}",
    "▷",
    "</tool_call>",
    "get_time>",
    "</function>",
    "<parameter=city>x</parameter>",
    "```",
    "```json\n",
    "```tool_call\n",
    "~~~",
    "`",
    "Action: get_time\n",
    "Action Input: {}\n",
    "Thought: hm\n",
    "get_time()",
    "<think>",
    "</think>",
    "Observation: x",
]
