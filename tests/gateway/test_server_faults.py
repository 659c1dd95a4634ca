"""What a bad request is told, whichever route it meets, and that it ends nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cetp_gateway.testing import ScriptedModel
from support.entered import Entered, entered
from support.whole import rest, whole


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Entered]:
    async with entered(tmp_path) as running:
        yield running


async def test_an_unknown_path_is_404_and_a_wrong_method_says_which_are_right(gateway: Entered) -> None:
    answer = await gateway.http.post("/api/no-such-call", json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    answer = await gateway.http.post("/api/config", json={})
    assert (answer.status_code, answer.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "GET, HEAD, PUT"
    assert (await gateway.http.get("/api/tools/x/call")).headers["allow"] == "POST"
    assert (await gateway.http.get("/api/sessions/")).status_code == 404


async def test_head_is_get_without_its_body(gateway: Entered) -> None:
    answer = await gateway.http.head("/api/status")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_a_body_over_the_limit_is_413_and_names_it(gateway: Entered) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1024

    for content in (b"x" * 65_537, chunks()):
        answer = await gateway.http.post("/webhook", content=content)
        assert answer.status_code == 413
        assert "65536 bytes (limits.body_bytes)" in answer.json()["error"]
    assert (await gateway.http.get("/api/status")).status_code == 200


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"{oops", "byte 1"),
        (b"\xff", "byte 0"),
        (b'{"name":"\xff"}', "JSON"),
        (b'{"name":', "JSON"),
        (b"[]", "array"),
        (b'{"name":7}', "name"),
        (b"{}", "name"),
        (b"", "name"),
        (b'{"other":' + b"[" * 20_000, "deep"),
        (b'{"other":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "deep"),
    ],
)
async def test_a_bad_body_is_400_and_says_where(gateway: Entered, body: bytes, place: str) -> None:
    answer = await gateway.http.put("/api/sessions/x", content=body)
    assert answer.status_code == 400
    assert place in answer.json()["error"]


async def test_an_unusable_parameter_is_named(gateway: Entered) -> None:
    answer = await gateway.http.get("/api/tools?quarantined=perhaps")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("quarantined")


async def test_a_broken_disk_is_503_and_ends_nothing(gateway: Entered) -> None:
    await gateway.runtime.database.read(lambda connection: connection.execute("PRAGMA query_only=ON"))
    answer = await gateway.http.put("/api/personas/x", json={"prompt": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "STORAGE_ERROR")
    assert (await gateway.http.get("/api/personas")).status_code == 200


async def test_a_failure_of_ours_is_500_without_detail(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ScriptedModel):
        async def models(self) -> list[str]:
            raise RuntimeError("secret detail")

    async with whole(tmp_path, Broken([])) as running, rest(running) as http:
        answer = await http.get("/api/provider/models")
        assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL_ERROR")
        assert "secret" not in answer.text
    assert "secret detail" in caplog.text
