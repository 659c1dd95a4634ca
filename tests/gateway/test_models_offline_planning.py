"""The offline planner: which tools it calls for a question, and with which arguments."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.api import AssistantMessage, Effect, Message, ModelRequest, StopReason, ToolSpec, ToolUse, UserMessage
from cetp_gateway.models import OfflineModel
from support.heard import heard

MONDAY = date(2026, 11, 30)


def tool(name: str, description: str = "", effect: Effect = Effect.READS, **properties: Any) -> ToolSpec:
    """A tool whose arguments are given as keywords; one that ends in `_` is required."""
    required = [key.rstrip("_") for key in properties if key.endswith("_")]
    schema: dict[str, Any] = {"type": "object", "properties": {key.rstrip("_"): properties[key] for key in properties}}
    parameters = {**schema, "required": required} if required else schema
    return ToolSpec(name=name, description=description, parameters=parameters, effect=effect)


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
SEARCH = tool("notes__search_notes", "Search the user's notes by words.", query_=TEXT, limit={**NUMBER, "maximum": 50})
READ = tool("notes__read_note", "Read one note.", id_=TEXT)
WEATHER = tool("sky__forecast", "Weather forecast for a day.", day_={"type": "string", "format": "date"})
BATTERY = tool("home__battery", "Charge of the battery.")
TOOLS = [BATTERY, READ, SEARCH, WEATHER]


async def answer(question: str, tools: list[ToolSpec]) -> AssistantMessage:
    model = OfflineModel(clock=lambda: MONDAY)
    said = await heard(model.stream(ModelRequest(system="", messages=[UserMessage(question)], tools=tools)))
    message = said.ended.message
    assert said.ended.stop is (StopReason.TOOL_USE if message.calls else StopReason.END)
    assert said.text == message.text
    return message


async def calls(question: str, *tools: ToolSpec) -> list[tuple[str, dict[str, Any]]]:
    message = await answer(question, list(tools) or TOOLS)
    assert len({call.id for call in message.calls}) == len(message.calls)
    return [(call.name, call.arguments) for call in message.calls]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the battery's charge?", [("home__battery", {})]),
        ("Search my notes for the boiler", [("notes__search_notes", {"query": "boiler"})]),
        ('Notes with "heating contract"?', [("notes__search_notes", {"query": "heating contract"})]),
        ("Show 3 notes about travel", [("notes__search_notes", {"query": "travel", "limit": 3})]),
        ("Show 900 notes about travel", [("notes__search_notes", {"query": "travel", "limit": 50})]),
        ("Read note n-101", [("notes__read_note", {"id": "n-101"})]),
        ("Weather tomorrow?", [("sky__forecast", {"day": "2026-12-01"})]),
        ("Weather on Friday?", [("sky__forecast", {"day": "2026-12-04"})]),
        ("Weather on 2026-12-24?", [("sky__forecast", {"day": "2026-12-24"})]),
        ("How is the weather?", [("sky__forecast", {"day": "2026-11-30"})]),
        ("Tell me a joke", []),
        ("", []),
    ],
)
async def test_words_choose_the_tool_and_fill_its_arguments(question: str, expected: list[Any]) -> None:
    assert await calls(question) == expected


async def test_two_questions_in_one_are_two_calls_that_do_not_search_each_others_words() -> None:
    found = await calls("What do my notes say about the boiler, and how is the weather tomorrow?")

    assert sorted(found) == [("notes__search_notes", {"query": "boiler"}), ("sky__forecast", {"day": "2026-12-01"})]


async def test_chinese_questions_find_chinese_tools() -> None:
    weather = tool("tianqi", "查询天气预报", day={"type": "string", "format": "date"})
    notes = tool("biji", "搜索用户的笔记", query={"type": "string"})

    assert await calls("明天的天气怎么样？", weather, notes) == [("tianqi", {"day": "2026-12-01"})]
    assert await calls("搜索笔记「锅炉」", weather, notes) == [("biji", {"query": "锅炉"})]


async def test_listed_values_are_taken_when_the_question_says_them() -> None:
    due = {"type": "string", "enum": ["today", "this_week", "past"]}
    room = {"type": "string", "description": "Only this room, for instance Kitchen or Bath."}
    period = {"type": "string", "pattern": "^(today|last_week|[0-9]{4}-[0-9]{2}-[0-9]{2})$"}
    tasks = tool("tasks__list", "Tasks that are due.", due=due, query=TEXT)
    power = tool("energy__use", "Energy of a room.", room=room, period=period)

    assert await calls("Which tasks are due this week?", tasks) == [("tasks__list", {"due": "this_week"})]
    assert await calls("Energy of the kitchen last week?", power) == [
        ("energy__use", {"room": "Kitchen", "period": "last_week"})
    ]


async def test_required_arguments_of_every_kind_are_filled_from_schema_and_question() -> None:
    nested = {"type": "object", "properties": {"text": TEXT, "deep": {"type": "boolean"}}, "required": ["text", "deep"]}
    found = await calls(
        "report boiler 7",
        tool(
            "report",
            unit_={"enum": ["C", "F"]},
            mode_={"type": "string", "default": "short"},
            fixed_={"const": "v1"},
            flag_={"type": "boolean"},
            amount_={"type": ["integer", "null"]},
            limit_={"type": "integer", "minimum": 20},
            names_={"type": "array", "items": {"type": "string"}},
            filter_=nested,
        ),
    )

    assert found == [
        (
            "report",
            {
                "unit": "C",
                "mode": "short",
                "fixed": "v1",
                "flag": False,
                "amount": 7,
                "limit": 20,
                "names": ["boiler"],
                "filter": {"text": "boiler", "deep": False},
            },
        )
    ]


async def test_of_a_choice_the_arguments_that_the_question_gives_are_taken() -> None:
    either = ToolSpec(
        name="find_reading",
        description="Find a reading.",
        parameters={
            "type": "object",
            "properties": {"id": {"type": "string"}, "day": {"type": "string"}},
            "anyOf": [{"required": ["id"]}, {"required": ["day"]}],
        },
    )

    assert await calls("Find the reading of yesterday", either) == [("find_reading", {"day": "2026-11-29"})]


async def test_an_argument_that_the_question_does_not_give_is_asked_for_not_invented() -> None:
    message = await answer("Read a note", [READ])

    assert message.calls == ()
    assert "notes__read_note would fit, but I cannot tell its 'id'" in message.text


@pytest.mark.parametrize("effect", [Effect.WRITES, Effect.RUNS, Effect.SENDS])
async def test_tools_that_change_something_are_never_called(effect: Effect) -> None:
    assert await calls("delete all notes", tool("notes__delete_all", "Deletes all notes.", effect)) == []


async def test_a_tool_of_unknown_effect_that_sounds_like_changing_needs_the_same_word() -> None:
    light = tool("home__turn_light", "Turns the light.", Effect.UNKNOWN)

    assert await calls("How is the light?", light) == []
    assert await calls("Turn the light", light) == [("home__turn_light", {})]


async def test_when_nothing_fits_it_says_what_it_is_and_what_it_could_do() -> None:
    message = await answer("Tell me a joke", [tool(f"app__thing_{n}", f"Thing {n}.") for n in range(20)])

    assert "No tool fits" in message.text
    assert "- app__thing_0: Thing 0." in message.text
    assert "and 8 more" in message.text
    assert "no language model" in message.text


async def test_without_any_tool_it_says_so() -> None:
    assert "No tool is connected" in (await answer("hello", [])).text


async def test_ids_of_calls_are_new_in_the_conversation() -> None:
    first = (await answer("battery?", TOOLS)).calls[0]
    history: list[Message] = [UserMessage("battery?"), AssistantMessage("", (first,)), UserMessage("battery?")]

    said = await heard(OfflineModel().stream(ModelRequest(system="", messages=history, tools=TOOLS)))

    assert said.ended.message.calls[0].id != first.id


async def test_a_title_is_the_beginning_of_the_question() -> None:
    question = "How much power did\nthe fridge and the freezer use yesterday?"

    title = await OfflineModel().complete(ModelRequest(system="", messages=[UserMessage(question)], tools=TOOLS))

    assert title.text == "How much power did the fridge and the fr…"


async def test_it_lists_itself_as_the_only_model() -> None:
    model = OfflineModel()

    assert await model.models() == [model.model]
    assert model.provider == "offline"


SCHEMA_KEYS = ["type", "properties", "required", "enum", "items", "anyOf", "default", "minimum", "description"]
SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["string", "object", "array", "id", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "properties",
                    "required",
                    "enum",
                    "items",
                    "anyOf",
                    "default",
                    "minimum",
                    "description",
                    "a",
                    "id",
                    "limit",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(st.text(max_size=80), st.dictionaries(st.sampled_from(["type", "properties", "required", "anyOf"]), SCHEMAS))
async def test_any_question_and_any_schema_end_in_an_answer(question: str, parameters: dict[str, Any]) -> None:
    odd = ToolSpec(name="odd__tool", description="Odd.", parameters=parameters)

    message = await answer(f"odd tool {question}", [odd, BATTERY])

    assert message.calls or message.text
    assert all(isinstance(call, ToolUse) and isinstance(call.arguments, dict) for call in message.calls)


async def test_the_time_in_front_of_a_message_is_no_part_of_the_question() -> None:
    search = tool("notes__search_notes", "Finds notes.", query={"type": "string"})

    plain = await calls("find notes about the passport", search)

    assert plain
    assert await calls("[2026-11-30 05:34:55 CET] find notes about the passport", search) == plain
