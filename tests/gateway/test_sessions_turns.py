"""A turn from question to stored answer: the line, abort, regenerate, failures, and who is told what."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cetp_gateway.api import (
    AssistantMessage,
    Emit,
    Step,
    TextSaid,
    TurnAborted,
    TurnDone,
    TurnEvent,
    TurnFailed,
    TurnRecord,
)
from cetp_gateway.errors import ModelFailed, ModelFailure, NoUserMessage, SessionBusy
from cetp_gateway.sessions import Conversations, Lines, Question, SessionStore, Titles
from cetp_gateway.storage import MIGRATIONS, Database
from support.views import NoTools


class Desk:
    """Answers questions as a test wants: says words, waits at a gate, fails."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.waiting = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.failure: Exception | None = None
        self.words = "answer"

    async def answer(self, question: Question, record: TurnRecord, emit: Emit) -> None:
        self.asked.append(question)
        record.pieces.append("half ")
        emit(TextSaid("half "))
        self.waiting.set()
        await self.gate.wait()
        if self.failure:
            raise self.failure
        record.pieces.clear()
        record.steps.append(Step(AssistantMessage(self.words)))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SessionStore]:
    database = await Database.open(tmp_path, MIGRATIONS)
    yield SessionStore(database, "新会话")
    await database.close()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def conversations(store: SessionStore, desk: Desk) -> Conversations:
    return Conversations(store, Lines(length=3, wait_s=5), desk.answer, max_history=50)


async def ask(conversations: Conversations, text: str = "hello", into: list[TurnEvent] | None = None) -> TurnEvent:
    events = [] if into is None else into
    async with asyncio.timeout(5):
        return await conversations.ask("s", text, view=NoTools, emit=events.append)


async def test_a_turn_ends_with_exactly_one_closing_event_and_is_stored_by_then(
    conversations: Conversations, store: SessionStore
) -> None:
    events: list[TurnEvent] = []
    closing = await ask(conversations, into=events)
    assert [type(event) for event in events] == [TextSaid, TurnDone]
    assert isinstance(closing, TurnDone)
    assert closing.text == "answer"
    assert [row["content"] for row in await store.messages("s")] == ["hello", "answer"]


@pytest.mark.requirement("runtime.history.sent")
async def test_the_second_question_sees_the_first_exchange(conversations: Conversations, desk: Desk) -> None:
    await ask(conversations, "my colour is blue")
    await ask(conversations, "which colour?")
    assert "my colour is blue" in str(desk.asked[1].history)
    assert "answer" in str(desk.asked[1].history)


async def test_turns_of_one_session_run_one_after_the_other(conversations: Conversations, desk: Desk) -> None:
    desk.gate.clear()
    async with asyncio.TaskGroup() as group:
        first = group.create_task(ask(conversations, "one"))
        await desk.waiting.wait()
        second = group.create_task(ask(conversations, "two"))
        await asyncio.wait({second}, timeout=0.05)
        assert len(desk.asked) == 1
        assert conversations.waiting() == 1
        desk.gate.set()
    assert isinstance(first.result(), TurnDone)
    assert len(desk.asked[1].history) == 2


async def test_a_full_line_refuses_at_once_and_stores_nothing(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    desk.gate.clear()
    async with asyncio.TaskGroup() as group:
        for number in range(3):
            group.create_task(ask(conversations, f"turn {number}"))
        await desk.waiting.wait()
        with pytest.raises(SessionBusy, match="3 turns"):
            await ask(conversations, "one too many")
        desk.gate.set()
    assert "one too many" not in str(await store.messages("s"))


async def test_a_wait_that_is_too_long_is_refused_and_the_running_turn_goes_on(store: SessionStore, desk: Desk) -> None:
    conversations = Conversations(store, Lines(length=3, wait_s=0.05), desk.answer, max_history=50)
    desk.gate.clear()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(ask(conversations, "long"))
        await desk.waiting.wait()
        with pytest.raises(SessionBusy, match=r"0\.05 s"):
            await ask(conversations, "impatient")
        desk.gate.set()
    assert isinstance(running.result(), TurnDone)


async def test_an_abort_ends_the_turn_keeps_its_text_and_frees_the_session(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    desk.gate.clear()
    async with asyncio.TaskGroup() as group:
        turn = group.create_task(ask(conversations))
        await desk.waiting.wait()
        assert conversations.abort("s")
    assert turn.result() == TurnAborted("half ")
    assert (await store.messages("s"))[-1]["content"] == "half \n[interrupted by user]"
    assert not conversations.abort("s")
    desk.gate.set()
    assert isinstance(await ask(conversations, "again"), TurnDone)


async def test_an_asker_that_goes_away_leaves_a_readable_history(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    desk.gate.clear()
    turn = asyncio.create_task(ask(conversations))
    await desk.waiting.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert [row["content"] for row in await store.messages("s")] == ["hello", "half \n[interrupted by user]"]
    assert conversations.running() == ()


async def test_a_failed_model_ends_the_turn_with_its_code_and_stores_nothing_half_built(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    desk.failure = ModelFailed(ModelFailure.AUTH, "The key is wrong.")
    assert await ask(conversations) == TurnFailed("AUTH_ERROR", "The key is wrong.")
    assert [row["content"] for row in await store.messages("s")] == ["hello"]
    desk.failure = None
    assert isinstance(await ask(conversations, "again"), TurnDone)


async def test_a_fault_of_our_own_is_told_without_its_details(conversations: Conversations, desk: Desk) -> None:
    desk.failure = KeyError("/secret/path")
    closing = await ask(conversations)
    assert isinstance(closing, TurnFailed)
    assert closing.code == "AGENT_ERROR"
    assert "secret" not in closing.message


async def test_regenerate_replaces_the_answer_and_keeps_the_question_once(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    await ask(conversations)
    desk.words = "better answer"
    await conversations.regenerate("s", view=NoTools, emit=lambda event: None)
    assert [row["content"] for row in await store.messages("s")] == ["hello", "better answer"]
    assert desk.asked[1].history == []


async def test_a_regenerate_that_fails_or_is_refused_keeps_the_old_answer(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    await ask(conversations)
    desk.failure = ModelFailed(ModelFailure.OVERLOADED, "busy")
    await conversations.regenerate("s", view=NoTools, emit=lambda event: None)
    assert [row["content"] for row in await store.messages("s")] == ["hello", "answer"]


async def test_regenerate_without_a_question_says_so(conversations: Conversations) -> None:
    with pytest.raises(NoUserMessage):
        await conversations.regenerate("s", view=NoTools, emit=lambda event: None)


async def test_a_session_without_a_name_gets_a_title_once(conversations: Conversations, store: SessionStore) -> None:
    async def name_title(question: str, answer: str) -> str:
        return f'"{question} and\n{answer}"'

    titles = Titles(store, default_name="新会话", name_title=name_title)
    await ask(conversations)
    assert await titles.after_turn("s") == "hello and answer"
    assert (await store.open("s")).name == "hello and answer"
    await ask(conversations, "more")
    assert await titles.after_turn("s") is None


async def test_a_first_turn_that_failed_leaves_the_title_to_the_next_one(
    conversations: Conversations, desk: Desk, store: SessionStore
) -> None:
    titles = Titles(store, default_name="新会话", name_title=None)
    desk.failure = ModelFailed(ModelFailure.OVERLOADED, "busy")
    await ask(conversations, "lost")
    assert await titles.after_turn("s") is None
    desk.failure = None
    await ask(conversations, "found")
    assert await titles.after_turn("s") == "found"


async def test_a_title_falls_back_to_the_first_words_when_the_model_fails(
    conversations: Conversations, store: SessionStore
) -> None:
    async def name_title(question: str, answer: str) -> str:
        raise ModelFailed(ModelFailure.UNREACHABLE, "gone")

    await ask(conversations, "what is due in the coming week?")
    titles = Titles(store, default_name="新会话", name_title=name_title)
    assert await titles.after_turn("s") == "what is due in "
