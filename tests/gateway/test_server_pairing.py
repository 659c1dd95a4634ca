"""Pairing and administration over HTTP: codes, lock-outs, devices, and that only a local caller may."""

import re
import sqlite3
from pathlib import Path

import httpx
import pytest

from support.entered import entered
from support.whole import open_settings, rest, whole

WRONG = "0000-0000-0000"
PROXIED = {"X-Forwarded-For": "203.0.113.9"}
CODE = re.compile(r"\d{4}-\d{4}-\d{4}")


async def new_code(http: httpx.AsyncClient) -> str:
    answer = await http.post("/admin/paircode/new")
    assert answer.status_code == 200
    code: str = answer.json()["pairing_code"]
    assert CODE.fullmatch(code)
    return code


def contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]


async def pair(http: httpx.AsyncClient, code: str, **more: object) -> httpx.Response:
    return await http.post("/pair", headers={"X-Pairing-Code": code}, **more)  # type: ignore[arg-type]


async def test_the_first_device_pairs_with_the_code_that_a_local_caller_is_shown(tmp_path: Path) -> None:
    chosen = open_settings(server={"require_pairing": True})
    async with whole(tmp_path, settings=chosen) as running, rest(running) as http:
        shown = (await http.get("/pair/code")).json()
        assert shown["success"] is True
        assert shown["pairing_required"] is True
        assert (await http.get("/pair/code", headers=PROXIED)).json()["pairing_code"] is None
        answer = await pair(http, shown["pairing_code"], json={"device_name": "  Kitchen\nphone  "})
        assert answer.status_code == 200
        body = answer.json()
        assert (body["paired"], body["persisted"]) == (True, True)
        assert re.fullmatch(r"[0-9a-f]{64}", body["token"])
        assert (await http.get("/health")).json()["paired"] is True
        assert (await http.get("/pair/code")).json()["pairing_code"] is None
        (device,) = (await http.get("/admin/devices")).json()["devices"]
        assert (device["id"], device["name"]) == (body["device_id"], "Kitchen phone")


async def test_a_code_pairs_once_and_its_token_opens_rest(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        code = await new_code(gateway.http)
        token = (await pair(gateway.http, code)).json()["token"]
        answer = await gateway.bare("GET", "/api/status", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        again = await pair(gateway.http, code)
        assert (again.status_code, again.json()["code"]) == (403, "PAIRING_ERROR")


async def test_a_wrong_missing_or_odd_code_is_403(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        await new_code(gateway.http)
        for headers in ({}, {"X-Pairing-Code": WRONG}, {"X-Pairing-Code": ""}, {b"X-Pairing-Code": b"\xe9"}):
            answer = await gateway.http.post("/pair", headers=headers)
            assert answer.status_code == 403
            assert "cetp pair" in answer.json()["error"]


async def test_too_many_wrong_codes_shut_out_the_right_one_and_say_for_how_long(tmp_path: Path) -> None:
    async with entered(tmp_path, limits={"pairing_attempts": 3, "pairing_lockout_s": 60}) as gateway:
        code = await new_code(gateway.http)
        for _ in range(3):
            assert (await pair(gateway.http, WRONG)).status_code == 403
        for tried in (WRONG, code):
            answer = await pair(gateway.http, tried)
            assert answer.status_code == 429
            assert 0 < answer.json()["retry_after"] <= 60
            assert answer.headers["retry-after"] == str(answer.json()["retry_after"])


async def test_a_token_that_cannot_be_stored_is_good_until_the_end(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        await gateway.runtime.database.read(lambda connection: connection.execute("PRAGMA query_only=ON"))
        body = (await pair(gateway.http, await new_code(gateway.http))).json()
        assert (body["paired"], body["persisted"]) == (True, False)
        headers = {"Authorization": f"Bearer {body['token']}"}
        assert (await gateway.bare("GET", "/api/status", headers=headers)).status_code == 200


async def test_no_token_is_stored_in_the_clear(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        token = (await pair(gateway.http, await new_code(gateway.http))).json()["token"]
        local = (await gateway.bare("POST", "/admin/token")).json()["token"]
    with sqlite3.connect(tmp_path / "cetp.db") as database:
        assert database.execute("SELECT count(*) FROM devices").fetchone() == (2,)
    for content in contents(tmp_path):
        assert token.encode() not in content
        assert local.encode() not in content


async def test_without_pairing_there_is_no_code(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http:
        shown = (await http.get("/pair/code")).json()
        assert (shown["pairing_required"], shown["pairing_code"]) == (False, None)
        assert (await http.get("/admin/paircode")).json()["pairing_code"] is None
        for path in ("/admin/paircode/new", "/pair"):
            answer = await http.post(path)
            assert answer.status_code == 400
            assert "require_pairing" in answer.json()["error"]


async def test_the_code_that_is_good_now_is_shown_until_it_is_used(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        code = await new_code(gateway.http)
        assert (await gateway.http.get("/admin/paircode")).json()["pairing_code"] == code
        await pair(gateway.http, code)
        assert (await gateway.http.get("/admin/paircode")).json()["pairing_code"] is None


async def test_a_device_is_renamed_and_an_unknown_one_is_404(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        (device,) = (await gateway.http.get("/admin/devices")).json()["devices"]
        path = f"/admin/devices/{device['id']}"
        assert (await gateway.http.patch(path, json={"name": " Küche "})).json() == {"name": "Küche"}
        assert (await gateway.http.get("/admin/devices")).json()["devices"][0]["name"] == "Küche"
        for bad in ({"name": "  "}, {}, {"name": 1}, {"name": "x" * 201}):
            answer = await gateway.http.patch(path, json=bad)
            assert answer.status_code == 400
            assert "name" in answer.json()["error"]
        assert (await gateway.http.patch("/admin/devices/none", json={"name": "x"})).status_code == 404
        assert (await gateway.http.delete("/admin/devices/none")).status_code == 404


async def test_shutdown_asks_the_gateway_to_stop(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        answer = await gateway.bare("POST", "/admin/shutdown")
        assert (answer.status_code, answer.json()) == (200, {"status": "stopping"})
        assert gateway.running.stopping.is_set()


ADMIN = (
    ("GET", "/admin/paircode"),
    ("POST", "/admin/paircode/new"),
    ("POST", "/admin/token"),
    ("GET", "/admin/devices"),
    ("PATCH", "/admin/devices/x"),
    ("DELETE", "/admin/devices/x"),
    ("POST", "/admin/shutdown"),
)


@pytest.mark.parametrize(
    "headers",
    [
        PROXIED,
        {"Forwarded": "for=203.0.113.9"},
        {"Via": "1.1 proxy"},
        {"X-Real-IP": "127.0.0.1"},
        {"Host": "192.168.1.20"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_administration_is_for_straight_local_callers_alone(tmp_path: Path, headers: dict[str, str]) -> None:
    async with entered(tmp_path) as gateway:
        for method, path in ADMIN:
            answer = await gateway.http.request(method, path, headers=headers)
            assert answer.status_code == 403, path
            assert "own machine" in answer.json()["error"]
        assert not gateway.running.stopping.is_set()


async def test_an_allowed_origin_may_not_administer(tmp_path: Path) -> None:
    origin = "https://app.example"
    async with entered(tmp_path, server={"allowed_origins": [origin]}) as gateway:
        assert (await gateway.http.get("/api/status", headers={"Origin": origin})).status_code == 200
        assert (await gateway.http.post("/admin/token", headers={"Origin": origin})).status_code == 403


async def test_a_code_needs_an_answer_to_the_host_that_was_called(tmp_path: Path) -> None:
    chosen = open_settings(server={"require_pairing": True})
    async with whole(tmp_path, settings=chosen) as running, rest(running) as http:
        assert (await http.get("/pair/code", headers={"Host": "192.168.1.20"})).json()["pairing_code"] is None
        assert CODE.fullmatch((await http.get("/pair/code", headers={"Host": "localhost"})).json()["pairing_code"])
