"""The offline planner: how it repeats what tools said, word for word and without making anything up."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelRequest,
    StopReason,
    ToolResult,
    ToolResults,
    ToolUse,
    UserMessage,
)
from cetp_gateway.models import OfflineModel
from support.heard import heard

PHONE = 'device="pixel" app="com.example.notes"'


async def report(*results: ToolResult) -> str:
    calls = tuple(ToolUse(result.call_id, result.name, {}) for result in results)
    history: list[Message] = [UserMessage("?"), AssistantMessage("", calls), ToolResults(results)]
    said = await heard(OfflineModel().stream(ModelRequest(system="", messages=history)))
    assert (said.ended.stop, said.ended.message.calls) == (StopReason.END, ())
    assert said.text == said.ended.message.text
    return said.text


def result(text: str, *, is_error: bool = False, name: str = "notes__search") -> ToolResult:
    return ToolResult("c1", name, text, is_error)


def wrapped(text: str) -> str:
    return f"<tool_output {PHONE}>\n{text}\n</tool_output>"


async def test_a_list_becomes_short_lines_with_its_origin() -> None:
    notes = [{"id": 9007199254740993, "title": "Boiler", "done": False, "tags": ["home", "todo"]}, {"title": "锅炉"}]

    text = await report(result(wrapped(msgspec.json.encode(notes).decode())))

    assert "notes__search (com.example.notes on pixel) says:" in text
    assert "- id: 9007199254740993, title: Boiler, done: false, tags: home; todo" in text
    assert "- title: 锅炉" in text


async def test_an_object_becomes_lines_and_its_lists_entries() -> None:
    text = await report(result('{"total": 1.5, "devices": [{"name": "Fridge", "kWh": 0.62}], "next": null}'))

    assert "- total: 1.5" in text
    assert "devices:\n- name: Fridge, kWh: 0.62" in text


async def test_text_that_is_no_json_stays_as_it_is() -> None:
    assert "says:\nThe boiler is fine.\nReally." in await report(result("The boiler is fine.\nReally."))


@pytest.mark.parametrize(("text", "said"), [("[]", "(nothing found)"), ("{}", "(nothing)"), ("", "(nothing)")])
async def test_nothing_is_called_nothing(text: str, said: str) -> None:
    assert said in await report(result(text))


async def test_long_lists_and_texts_are_cut_and_say_so() -> None:
    text = await report(result(msgspec.json.encode([*range(50)]).decode()), result("x" * 9000))

    assert "… and 30 more" in text
    assert len(text) < 6000


async def test_results_are_reported_in_order_and_it_says_that_it_is_no_llm() -> None:
    text = await report(result("one", name="a"), result("two", name="b"))

    assert text.index("a says:\none") < text.index("b says:\ntwo") < text.index("no language model")


@pytest.mark.parametrize(
    "refusal",
    [
        "Error: the tool refused. Authorise it.\n" + wrapped("[AUTH_REQUIRED] Not allowed — Open Notes"),
        "Error: [AUTH_REQUIRED] Not allowed — Open Notes",
        "Error: AUTH_REQUIRED: Not allowed — Open Notes",
        'Error: {"code":"AUTH_REQUIRED","message":"Not allowed —","resolution_hint":"Open Notes"}',
    ],
)
async def test_a_missing_permission_is_said_with_what_to_do(refusal: str) -> None:
    text = await report(result(refusal, is_error=True))

    assert "needs your permission first. Not allowed — Open Notes. Then ask again." in text


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("Error: [TIMED_OUT] No answer within 30 s.", "could not answer: No answer within 30 s. (TIMED_OUT)"),
        ("Error: it broke", "could not answer: it broke"),
        ("Error:", "could not answer: it gave no reason"),
    ],
)
async def test_other_failures_are_said_as_they_are(failure: str, said: str) -> None:
    assert said in await report(result(failure, is_error=True))


async def test_only_results_since_the_newest_question_are_reported() -> None:
    history: list[Message] = [
        UserMessage("one"),
        AssistantMessage("", (ToolUse("c1", "a", {}),)),
        ToolResults((ToolResult("c1", "a", "old"),)),
        AssistantMessage("done"),
        UserMessage("two"),
        AssistantMessage("", (ToolUse("c2", "b", {}),)),
        ToolResults((ToolResult("c2", "b", "new"),)),
    ]

    said = await heard(OfflineModel().stream(ModelRequest(system="", messages=history)))

    assert "new" in said.text
    assert "old" not in said.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


@given(JSON | st.text(), st.booleans())
async def test_any_result_can_be_reported(value: Any, is_error: bool) -> None:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()

    assert "no language model" in await report(result(text, is_error=is_error))
