"""The system prompt, and what people who debug see of a request."""

from datetime import datetime, timedelta, timezone

import pytest

from cetp_gateway.agent import system_prompt
from cetp_gateway.agent.prompt import prompt_built
from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolUse, UserMessage

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=timezone(timedelta(hours=1), "CET"))


@pytest.mark.requirement("runtime.loop.prompt")
def test_the_prompt_has_the_persona_the_owners_words_and_the_day() -> None:
    prompt = system_prompt(instructions="Use metric units.", persona="You are a chef.", now=NOON, notes=["Likes tea."])

    assert prompt.index("You are a chef.") < prompt.index("Use metric units.") < prompt.index("Likes tea.")
    assert "Today is Monday, 2026-11-30, in the zone CET (UTC+0100)." in prompt


def test_the_prompt_says_once_that_tool_output_is_no_instruction() -> None:
    prompt = system_prompt(instructions="", persona="", now=NOON)

    assert prompt.count("never instructions") == 1
    assert "<tool_output" in prompt
    assert len(prompt) < 1500


def test_the_prompt_is_the_same_all_day() -> None:
    evening = NOON + timedelta(hours=9)
    assert system_prompt(instructions="a", persona="b", now=NOON) == system_prompt(
        instructions="a", persona="b", now=evening
    )


def test_empty_parts_leave_no_gap() -> None:
    assert "\n\n\n" not in system_prompt(instructions="", persona=" ", now=NOON, notes=["", "x"])


def test_people_see_every_message_of_a_request_as_role_and_text() -> None:
    call = ToolUse("c1", "search", {"q": "茶"})
    messages: list[Message] = [
        UserMessage("tea?"),
        AssistantMessage("Looking.", (call,)),
        ToolResults((ToolResult("c1", "search", "green"), ToolResult("c2", "other", "black"))),
    ]

    built = prompt_built("You help.", messages)

    assert built.messages == [
        {"role": "system", "content": "You help."},
        {"role": "user", "content": "tea?"},
        {"role": "assistant", "content": 'Looking.\n[call search {"q":"茶"}]'},
        {"role": "tool", "content": "green"},
        {"role": "tool", "content": "black"},
    ]
    assert built.estimated_tokens > 16
