"""`/api/memory` as clients see it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.entered import Entered, entered


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Entered]:
    async with entered(tmp_path) as running:
        yield running


async def put(http: httpx.AsyncClient, key: str, content: str, **more: Any) -> Any:
    answer = await http.post("/api/memory", json={"key": key, "content": content, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_entry_can_be_added_looked_up_and_removed(gateway: Entered) -> None:
    http = gateway.http
    stored = await put(http, "door code", "the code is 4711", importance=0.9)
    assert stored["status"] == "ok"
    assert (stored["entry"]["author"], stored["entry"]["person"]) == ("person", "test phone")
    assert stored["entry"]["category"] == "core"
    found = (await http.get("/api/memory", params={"query": "what is the code?"})).json()["entries"]
    assert [(row["id"], row["key"], row["content"]) for row in found] == [
        ("door code", "door code", "the code is 4711")
    ]
    assert 0 < found[0]["score"] <= 1
    assert (await http.get("/api/memory/door%20code")).json()["importance"] == 0.9
    assert (await http.get("/api/status")).json()["memory"]["count"] == 1
    assert (await http.delete("/api/memory/door%20code")).json() == {
        "status": "ok",
        "deleted": True,
        "key": "door code",
    }
    assert (await http.delete("/api/memory/door%20code")).json()["deleted"] is False
    assert (await http.get("/api/memory/door%20code")).status_code == 404
    assert (await http.get("/api/memory")).json() == {"entries": []}


async def test_lists_are_by_category_namespace_and_session(gateway: Entered) -> None:
    http = gateway.http
    await put(http, "a", "soup with leek", category="daily", session_id="s1")
    await put(http, "b", "soup with beans", namespace="kim")
    for query in ({}, {"query": "soup"}):
        daily = await http.get("/api/memory", params={**query, "category": "daily", "session_id": "s1"})
        assert [row["key"] for row in daily.json()["entries"]] == ["a"]
        kim = await http.get("/api/memory", params={**query, "namespace": "kim"})
        assert [row["key"] for row in kim.json()["entries"]] == ["b"]


@pytest.mark.parametrize(
    ("body", "named"),
    [({"key": "a/b", "content": "c"}, "key"), ({"key": "k", "content": "  "}, "content"), ({"key": "k"}, "content")],
)
async def test_what_cannot_be_kept_is_refused_by_the_name_of_its_field(
    gateway: Entered, body: dict[str, str], named: str
) -> None:
    answer = await gateway.http.post("/api/memory", json=body)
    assert answer.status_code == 400
    assert named in answer.json()["error"]


async def test_nobody_without_a_token_learns_anything(gateway: Entered) -> None:
    await put(gateway.http, "door", "the code is 4711")
    for path in ("/api/memory", "/api/memory/door", "/api/memories/export", "/api/memories/stats"):
        assert (await gateway.bare("GET", path)).status_code == 401
    assert (await gateway.bare("DELETE", "/api/memory/door")).status_code == 401


async def test_everything_goes_out_in_pieces_and_back_in(gateway: Entered) -> None:
    http = gateway.http
    for number in range(5):
        await put(http, f"k{number}", f"number{number}", category="daily" if number % 2 else "core")
    first = (await http.get("/api/memories/export", params={"limit": 3})).json()
    second = (await http.get("/api/memories/export", params={"limit": 3, "after": first["next"]})).json()
    entries = first["entries"] + second["entries"]
    assert ([entry["key"] for entry in entries], second["next"]) == ([f"k{number}" for number in range(5)], None)
    for number in range(5):
        await http.delete(f"/api/memory/k{number}")
    assert (await http.post("/api/memories/import", json={"entries": entries})).json() == {"imported": 5}
    stats = (await http.get("/api/memories/stats")).json()
    assert (stats["count"], stats["core"], stats["daily"], stats["other"]) == (5, 3, 2, 0)
    core = await http.get("/api/memories/export", params={"category": "core", "since": "2020-01-01T00:00:00Z"})
    assert core.json()["entries"] == entries[::2]
