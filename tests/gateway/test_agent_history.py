"""Which messages a model is sent: the newest, in a form that every vendor takes."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.agent import TurnLimits, estimate_tokens, trim_history
from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolUse, UserMessage
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.agent_fakes import LocalTool, turn


def asks(*ids: str, text: str = "") -> AssistantMessage:
    return AssistantMessage(text, tuple(ToolUse(call_id, "x", {}) for call_id in ids))


def told(*ids: str) -> ToolResults:
    return ToolResults(tuple(ToolResult(call_id, "x", f"result {call_id}") for call_id in ids))


A, NOW, DONE = UserMessage("a"), UserMessage("and now?"), AssistantMessage("done")
CONVERSATION: list[Message] = [A, asks("t1"), told("t1"), asks("t2", "t3"), told("t2", "t3"), NOW, DONE]


def assert_valid(messages: Sequence[Message]) -> None:
    """What vendors check of a request's messages."""
    assert not messages or isinstance(messages[0], UserMessage)
    for index, message in enumerate(messages):
        behind = messages[index + 1] if index + 1 < len(messages) else None
        if isinstance(message, AssistantMessage) and message.calls:
            assert isinstance(behind, ToolResults)
            assert [result.call_id for result in behind.results] == [call.id for call in message.calls]
        if isinstance(message, ToolResults):
            before = messages[index - 1]
            assert isinstance(before, AssistantMessage)
            assert before.calls


def test_trimming_again_and_again_never_cuts_a_call_from_its_result() -> None:
    four = trim_history(CONVERSATION, 4)
    three = trim_history(four, 3)
    one = trim_history(three, 1)

    assert four == three == one == [NOW, DONE]


@pytest.mark.requirement("runtime.history.max")
def test_whole_turns_go_oldest_first() -> None:
    assert trim_history(CONVERSATION, 7) == CONVERSATION
    assert trim_history(CONVERSATION, 6) == [NOW, DONE]


def test_of_a_turn_that_is_too_long_the_question_and_the_newest_steps_stay() -> None:
    long_turn = CONVERSATION[:5]

    assert trim_history(long_turn, 4) == [A, asks("t2", "t3"), told("t2", "t3")]
    assert trim_history(long_turn, 1) == [A, asks("t2", "t3"), told("t2", "t3")]


async def test_a_long_turn_goes_on_with_its_question_and_its_newest_results() -> None:
    steps = [ScriptedStep(calls=(ToolUse(f"c{number}", "x", {}),)) for number in range(10)]
    model = ScriptedModel([*steps, ScriptedStep(text="Done.")])

    run = await turn(model, LocalTool("x"), history=[A, DONE], limits=TurnLimits(max_history=6)).finish()

    for request in model.requests:
        assert_valid(request.messages)
        assert request.messages[0] == UserMessage("what is due?") or len(request.messages) <= 6
    last = model.requests[-1].messages
    assert [message.calls[0].id for message in last if isinstance(message, AssistantMessage)] == ["c8", "c9"]
    assert len(run.record.steps) == 11


@pytest.mark.parametrize(
    "broken",
    [
        [A, asks("t1")],
        [A, asks("t1"), NOW],
        [A, told("t1")],
        [A, asks("t1"), told("t2")],
        [A, asks("t1", "t2"), told("t1")],
        [told("t1"), A],
        [DONE, A],
    ],
)
def test_one_bad_old_message_costs_only_itself(broken: list[Message]) -> None:
    kept = trim_history([*broken, NOW], 50)

    assert_valid(kept)
    assert kept == [message for message in [*broken, NOW] if isinstance(message, UserMessage)]


def test_the_words_beside_an_unanswered_call_stay() -> None:
    assert trim_history([A, asks("t1", text="Let me look."), NOW], 50) == [A, AssistantMessage("Let me look."), NOW]


def test_without_a_question_nothing_is_left() -> None:
    assert trim_history([DONE], 50) == []
    assert trim_history([], 50) == []


call_ids = st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True)
any_message: st.SearchStrategy[Message] = st.one_of(
    st.sampled_from([A, NOW, DONE]),
    call_ids.map(lambda ids: asks(*ids)),
    call_ids.map(lambda ids: asks(*ids, text="looking")),
    call_ids.map(lambda ids: told(*ids)),
)
valid_exchange: st.SearchStrategy[list[Message]] = st.one_of(
    st.sampled_from([[A], [NOW], [DONE]]), call_ids.map(lambda ids: [asks(*ids), told(*ids)])
)
conversations = st.one_of(
    st.lists(any_message, max_size=30),
    st.lists(valid_exchange, max_size=15).map(lambda parts: [message for part in parts for message in part]),
)


@settings(deadline=None)
@given(conversations, st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_any_conversation_trimmed_any_number_of_times_stays_valid(messages: list[Message], limits: list[int]) -> None:
    questions = [message for message in messages if isinstance(message, UserMessage)]
    for limit in limits:
        messages = trim_history(messages, limit)
        assert_valid(messages)
        assert len(messages) <= max(limit, 3)
        assert trim_history(messages, limit) == messages
        assert [message for message in messages if isinstance(message, UserMessage)][-1:] == questions[-1:]


@settings(deadline=None)
@given(conversations)
def test_a_valid_conversation_within_the_limit_is_sent_whole(messages: list[Message]) -> None:
    whole = trim_history(messages, 1000)
    assert trim_history(whole, len(whole)) == whole


@pytest.mark.requirement("runtime.history.estimate")
def test_tokens_are_a_quarter_of_the_characters_and_four_for_each_message() -> None:
    messages: list[Message] = [UserMessage("x" * 41), AssistantMessage("y" * 7)]

    assert estimate_tokens(messages) == (10 + 4) + (1 + 4)


def test_calls_and_results_count_as_well() -> None:
    assert estimate_tokens([AssistantMessage("", (ToolUse("c", "search", {"q": "z" * 400}),))]) > 100
    assert estimate_tokens([ToolResults((ToolResult("c", "search", "r" * 400),))]) == 104
