"""Which tools are offered when there are more than a request may carry."""

import pytest

from cetp_gateway.agent import TurnLimits, select_tools
from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolSpec, ToolUse, UserMessage
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.agent_fakes import LocalTool, turn


def spec(name: str, description: str = "") -> ToolSpec:
    return ToolSpec(name=name, description=description, parameters={"type": "object", "properties": {}})


MANY = [spec(f"app{number:03}__get", "Gets things of an app.") for number in range(150)]
NOTES = spec("notes__search", "Find notes by words in them.")
WEATHER = spec("weather__today", "Temperature and rain of today.")
ELECTRICITY = spec("meter__read", "读取电表的用电量。")


def chosen(text: str, *extra: ToolSpec, most: int = 128, keep: tuple[str, ...] = ()) -> list[str]:
    return [found.name for found in select_tools([*MANY, *extra], max_tools=most, text=text, keep=keep)]


def test_a_list_that_fits_is_offered_whole() -> None:
    assert select_tools(MANY, max_tools=150, text="anything") == MANY


def test_a_list_that_is_too_long_is_cut_and_never_refused() -> None:
    assert len(chosen("hello", NOTES)) == 128


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Search my note about the boiler", "notes__search"),
        ("Will there be RAIN?", "weather__today"),
        ("家里的用电量是多少？", "meter__read"),
    ],
)
def test_tools_that_fit_the_users_words_are_among_them(text: str, wanted: str) -> None:
    assert wanted in chosen(text, NOTES, WEATHER, ELECTRICITY, most=5)


def test_a_word_that_all_tools_have_tells_nothing() -> None:
    assert "weather__today" in chosen("get the temperature of things in an app", NOTES, WEATHER, most=5)


def test_the_choice_keeps_the_order_and_is_the_same_every_time() -> None:
    names = chosen("rain and notes", NOTES, WEATHER, most=20)

    assert names == chosen("rain and notes", NOTES, WEATHER, most=20)
    assert names == sorted(names, key=[*(found.name for found in MANY), "notes__search", "weather__today"].index)


def test_tools_that_must_be_kept_come_first() -> None:
    assert "app149__get" in chosen("rain", WEATHER, most=2, keep=("app149__get",))


def test_a_very_long_message_is_no_burden() -> None:
    assert len(chosen("word " * 50_000 + " ".join(f"w{number}" for number in range(50_000)), most=3)) == 3


async def test_a_turn_offers_the_same_tools_in_every_step() -> None:
    tools = [LocalTool(found.name, description=found.description) for found in [*MANY, NOTES]]
    call = ToolUse("c1", "notes__search", {})
    model = ScriptedModel([ScriptedStep(calls=(call,)), ScriptedStep(text="Done.")])

    await turn(model, *tools, text="find the note", limits=TurnLimits(max_tools=10)).finish()

    first, second = ([found.name for found in request.tools] for request in model.requests)
    assert first == second
    assert "notes__search" in first
    assert len(first) == 10


async def test_a_tool_that_the_model_used_unasked_is_offered_from_then_on() -> None:
    tools = [LocalTool(found.name) for found in MANY]
    call = ToolUse("c1", "app149__get", {})
    model = ScriptedModel([ScriptedStep(calls=(call,)), ScriptedStep(text="Done.")])

    await turn(model, *tools, limits=TurnLimits(max_tools=10)).finish()

    assert ["app149__get" in [found.name for found in request.tools] for request in model.requests] == [False, True]
    assert len(model.requests[1].tools) == 10


async def test_a_question_without_words_for_a_tool_means_those_just_used() -> None:
    tools = [LocalTool(found.name) for found in MANY]
    history: list[Message] = [
        UserMessage("how warm is it?"),
        AssistantMessage("", (ToolUse("c0", "app149__get", {}),)),
        ToolResults((ToolResult("c0", "app149__get", "20"),)),
        AssistantMessage("20 degrees."),
    ]
    model = ScriptedModel([ScriptedStep(text="Done.")])

    await turn(model, *tools, history=history, text="and yesterday?", limits=TurnLimits(max_tools=10)).finish()

    assert "app149__get" in [found.name for found in model.requests[0].tools]
