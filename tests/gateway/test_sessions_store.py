"""Sessions in the database, as a client sees them over REST and on its socket."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cetp_gateway.api import (
    AssistantMessage,
    Step,
    ToolResult,
    ToolResults,
    ToolUse,
    TurnRecord,
    TurnStatus,
    UserMessage,
)
from cetp_gateway.sessions import SessionStore, is_session_id, new_session_id
from cetp_gateway.sessions.transcript import as_messages
from cetp_gateway.storage import MIGRATIONS, Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path, MIGRATIONS)
    yield database
    await database.close()


@pytest.fixture
def store(database: Database) -> SessionStore:
    return SessionStore(database, "新会话")


def answer(text: str) -> TurnRecord:
    return TurnRecord(steps=[Step(AssistantMessage(text))])


def answer_with_call() -> TurnRecord:
    call = ToolUse("c1", "notes__search", {"q": "due", "limit": 9007199254740993})
    return TurnRecord(
        steps=[
            Step(AssistantMessage("Let me look. ", (call,)), (ToolResult("c1", "notes__search", "[]"),)),
            Step(AssistantMessage("Nothing.")),
        ]
    )


async def talk(store: SessionStore, session_id: str, text: str, record: TurnRecord) -> None:
    await store.finish(await store.begin(session_id, text), TurnStatus.DONE, record)


async def test_a_new_session_has_the_default_name_and_no_messages(store: SessionStore) -> None:
    opened = await store.open("kitchen")
    assert (opened.name, opened.persona, opened.resumed, opened.message_count) == ("新会话", "", False, 0)
    assert [row.id for row in await store.list()] == ["kitchen"]


async def test_a_persona_is_kept_from_the_first_time_and_a_name_can_change(store: SessionStore) -> None:
    await store.open("kitchen", name="Old", persona="chef")
    opened = await store.open("kitchen", name="New", persona="pirate")
    assert (opened.name, opened.persona) == ("New", "chef")
    assert (await store.open("kitchen")).name == "New"


async def test_an_exchange_counts_as_two_messages_and_resumes(store: SessionStore) -> None:
    await talk(store, "kitchen", "hello", answer("good day"))
    opened = await store.open("kitchen")
    assert (opened.resumed, opened.message_count) == (True, 2)


async def test_calls_and_results_survive_with_the_text_and_keep_every_digit(
    store: SessionStore, database: Database
) -> None:
    await talk(store, "kitchen", "what is due?", answer_with_call())
    rows = await SessionStore(database, "x").messages("kitchen")
    assert [(row["role"], row["content"]) for row in rows] == [
        ("user", "what is due?"),
        ("assistant", "Let me look. Nothing."),
    ]
    assert rows[1]["tool_calls"] == [
        {
            "id": "c1",
            "name": "notes__search",
            "args": {"q": "due", "limit": 9007199254740993},
            "output": "[]",
            "is_error": False,
        }
    ]


async def test_a_turn_comes_back_to_the_model_with_each_call_beside_its_result(store: SessionStore) -> None:
    await talk(store, "kitchen", "what is due?", answer_with_call())
    (turn,) = await store.turns("kitchen")
    user, first, results, second = as_messages(turn)
    assert isinstance(user, UserMessage)
    assert user.text.endswith("] what is due?")
    assert isinstance(first, AssistantMessage)
    assert first.calls[0].id == "c1"
    assert isinstance(results, ToolResults)
    assert results.results[0].call_id == "c1"
    assert second == AssistantMessage("Nothing.")


async def test_a_stopped_answer_is_marked_for_people_and_for_the_model(store: SessionStore) -> None:
    turn = await store.begin("kitchen", "tell me")
    await store.finish(turn, TurnStatus.ABORTED, TurnRecord(pieces=["half a "]))
    rows = await store.messages("kitchen")
    assert rows[-1]["content"] == "half a \n[interrupted by user]"
    (stored,) = await store.turns("kitchen")
    assert as_messages(stored)[-1] == AssistantMessage("half a \n[interrupted by user]")


async def test_a_turn_that_a_crash_cut_off_reads_as_stopped(store: SessionStore) -> None:
    await store.begin("kitchen", "tell me")
    await store.recover()
    assert [row["role"] for row in await store.messages("kitchen")] == ["user", "assistant"]
    assert (await store.turns("kitchen"))[0].status is TurnStatus.ABORTED


async def test_a_deleted_session_stays_deleted_when_its_turn_ends_later(store: SessionStore) -> None:
    turn = await store.begin("kitchen", "tell me")
    assert await store.delete("kitchen")
    await store.finish(turn, TurnStatus.DONE, answer("late"))
    assert await store.list() == []
    assert not await store.delete("kitchen")


async def test_the_latest_turns_come_oldest_first(store: SessionStore) -> None:
    for number in range(5):
        await talk(store, "kitchen", f"question {number}", answer("ok"))
    assert [turn.user_text for turn in await store.turns("kitchen", latest=2)] == ["question 3", "question 4"]


async def test_a_rename_of_an_unknown_session_is_refused(store: SessionStore) -> None:
    assert not await store.rename("nowhere", "x")
    assert not await store.exists("nowhere")


@pytest.mark.parametrize("text", ["", ".", "..", "a/b", "a b", "é", "x" * 129, "a\n"])
def test_ids_that_do_not_fit_into_a_path_are_refused(text: str) -> None:
    assert not is_session_id(text)


def test_fresh_ids_are_usable_and_differ() -> None:
    ids = {new_session_id() for _ in range(10)}
    assert len(ids) == 10
    assert all(map(is_session_id, ids))
