"""Looking back at other conversations: by the latest, and by words that occur in them."""

from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import AssistantMessage, Step, ToolUse, TurnRecord, TurnStatus
from cetp_gateway.builtin.sessions import SessionsList, SessionsSearch
from cetp_gateway.sessions import SessionSearch, SessionStore
from cetp_gateway.storage import MIGRATIONS, Database
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.tool_calls import told
from support.whole import chat, open_settings, send, until, whole


async def filled(folder: Path, *turns: tuple[str, str, str]) -> Database:
    """A database with turns: session, question, answer."""
    database = await Database.open(folder, MIGRATIONS)
    store = SessionStore(database, "new")
    for session_id, question, answer in turns:
        turn = await store.begin(session_id, question)
        await store.finish(turn, TurnStatus.DONE, TurnRecord(steps=[Step(AssistantMessage(answer))]))
    return database


async def found(folder: Path, query: str, *turns: tuple[str, str, str], **more: Any) -> list[dict[str, Any]]:
    database = await filled(folder, *turns)
    try:
        passages: list[dict[str, Any]] = (await told(SessionsSearch(SessionSearch(database)), query=query, **more))[
            "passages"
        ]
    finally:
        await database.close()
    return passages


TURNS = (
    ("heating", "When was the boiler serviced?", "In March, by Ana Müller. It cost 90% of the estimate."),
    ("trip", "Plan a weekend in Porto", "Take the night train."),
    ("food", "天气怎么样", "今天下雨，记得带伞。"),
)


@pytest.mark.parametrize(
    ("query", "sessions"),
    [
        ("boiler", ["heating"]),
        ("BOILER march", ["heating"]),
        ("boiler porto", []),
        ("night", ["trip"]),
        ("müller", ["heating"]),
        ("MÜLLER", ["heating"]),
        ("下雨", ["food"]),
        ("90%", ["heating"]),
        ("9%", []),
        ("_", []),
        ("' OR 1=1 --", []),
        ("\\", []),
    ],
)
async def test_turns_are_found_by_all_of_the_words_whatever_they_are(
    query: str, sessions: list[str], tmp_path: Path
) -> None:
    assert [row["session"] for row in await found(tmp_path, query, *TURNS)] == sessions


async def test_a_passage_says_when_and_shows_both_sides_briefly(tmp_path: Path) -> None:
    long = "so " * 1000 + "and the boiler hums " + "so " * 1000
    [row] = await found(tmp_path, "hums", ("s", "What about the boiler?", long))
    assert row["person"] == "What about the boiler?"
    assert "boiler hums" in row["assistant_passage"]
    assert len(row["assistant_passage"]) < 500


async def test_the_latest_sessions_come_first_and_no_more_than_were_asked_for(tmp_path: Path) -> None:
    turns = [(f"s{number}", "the boiler", "hums") for number in range(60)]
    rows = await found(tmp_path, "boiler", *turns, limit=20)
    assert [row["session"] for row in rows] == [f"s{number}" for number in range(59, 39, -1)]


async def test_the_list_shows_the_latest_conversations_and_which_one_this_is(tmp_path: Path) -> None:
    database = await filled(tmp_path, *TURNS)
    try:
        rows = (await told(SessionsList(SessionSearch(database)), session_id="trip", limit=2))["sessions"]
    finally:
        await database.close()
    assert [(row["session"], row["turns"], row["this_one"]) for row in rows] == [("food", 1, False), ("trip", 1, True)]


async def test_a_model_finds_another_conversation_over_a_socket(tmp_path: Path) -> None:
    steps = [
        ScriptedStep(text="In March."),
        ScriptedStep(calls=(ToolUse("c1", "sessions_search", {"query": "boiler"}),)),
        ScriptedStep(text="You asked before."),
    ]
    async with whole(tmp_path, ScriptedModel(steps), settings=open_settings(builtin={})) as running:
        async with chat(running, "heating") as socket:
            await send(socket, type="message", content="When was the boiler serviced?")
            await until(socket, "done")
        async with chat(running, "new") as socket:
            await send(socket, type="message", content="Did I ask about heating?")
            output = (await until(socket, "tool_result"))[-1]["output"]
            await until(socket, "done")
    assert '"session":"heating"' in output
