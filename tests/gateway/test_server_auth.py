"""Who is let in: tokens of REST and of sockets, their order, Host and Origin, and what a refusal looks like."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Response

from support.entered import Entered, entered, socket
from support.whole import open_settings, rest, take, whole

WRONG = "f" * 64


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Entered]:
    async with entered(tmp_path) as running:
        yield running


async def lets_in(gateway: Entered, query: str = "", **how: Any) -> bool:
    """Does the socket open? A refusal must be 401 before the upgrade, in plain words."""
    refusal = await refused(gateway.socket_url + query, **how)
    if refusal is None:
        return True
    assert refusal.status_code == 401
    assert refusal.headers["content-type"].startswith("text/plain")
    assert b"token" in (refusal.body or b"")
    return False


async def refused(url: str, **how: Any) -> Response | None:
    """The answer to an opening request that was refused; None when the socket opened and greeted."""
    try:
        async with socket(url, **how) as opened:
            greeting = await take(opened)
    except InvalidStatus as error:
        return error.response
    assert greeting["type"] == "session_start"
    return None


def bearer(value: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {value}"}


async def test_a_socket_opens_with_a_header_a_subprotocol_or_a_query_token(gateway: Entered) -> None:
    token = gateway.token
    assert await lets_in(gateway, additional_headers=bearer(token))
    assert await lets_in(gateway, subprotocols=[f"bearer.{token}"])
    assert await lets_in(gateway, subprotocols=["clawseed.v1", f"bearer.{token}"])
    assert await lets_in(gateway, f"?token={token}")
    assert not await lets_in(gateway)


async def test_the_bearer_subprotocol_is_never_echoed(gateway: Entered) -> None:
    offers = ([f"bearer.{gateway.token}", "clawseed.v1"], "clawseed.v1"), ([f"bearer.{gateway.token}"], None)
    for offer, expected in offers:
        async with socket(gateway.socket_url, subprotocols=offer) as opened:
            assert opened.subprotocol == expected


async def test_the_header_counts_before_the_subprotocol_and_that_before_the_query(gateway: Entered) -> None:
    good = gateway.token
    assert await lets_in(gateway, f"?token={WRONG}", additional_headers=bearer(good), subprotocols=[f"bearer.{WRONG}"])
    assert await lets_in(gateway, f"?token={WRONG}", subprotocols=[f"bearer.{good}"])


async def test_a_wrong_value_does_not_let_the_next_one_speak(gateway: Entered) -> None:
    good = gateway.token
    assert not await lets_in(
        gateway, f"?token={good}", additional_headers=bearer(WRONG), subprotocols=[f"bearer.{good}"]
    )
    assert not await lets_in(gateway, f"?token={good}", subprotocols=[f"bearer.{WRONG}"])


async def test_an_empty_value_lets_the_next_one_speak(gateway: Entered) -> None:
    good = gateway.token
    assert await lets_in(gateway, f"?token={good}", additional_headers=bearer(""))
    assert await lets_in(gateway, additional_headers=bearer(""), subprotocols=[f"bearer.{good}"])
    assert await lets_in(gateway, f"?token={good}", subprotocols=["bearer.", "clawseed.v1"])
    assert not await lets_in(gateway, "?token=", additional_headers=bearer(""), subprotocols=["bearer."])


async def test_only_the_exact_spelling_of_bearer_counts(gateway: Entered) -> None:
    for form in ("{}", "bearer {}", "BEARER {}", "Bearer  {}", "Basic {}", "Bearer {} x", "Token {}"):
        answer = await gateway.bare("GET", "/api/status", headers={"Authorization": form.format(gateway.token)})
        assert answer.status_code == 401, form


async def test_any_other_token_is_a_plain_refusal_of_one_form(gateway: Entered) -> None:
    good = gateway.token
    swapped = "0" if good[-1] != "0" else "1"
    others = (good[:-1] + swapped, good[:-1], good + "0", "é", "é" * 64, "42", good[:-1] + "A", "a" * 1_000_000)
    for other in others:
        value = f"Bearer {other}".encode("latin-1")
        answer = await gateway.bare("GET", "/api/status", headers=[(b"Authorization", value)])
        assert answer.status_code == 401, other[:80]
        assert set(answer.json()) == {"error", "code"}
        assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_refused_token_leaves_nothing_of_itself_in_the_log(
    gateway: Entered, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        assert not await lets_in(gateway, f"?token={WRONG}", additional_headers=bearer(""))
        assert await lets_in(gateway, f"?session_id=s&token={gateway.token}&name=n")
        await gateway.bare("GET", "/api/status", headers=bearer(WRONG))
    ours = [record for record in caplog.records if record.name.startswith(("cetp_gateway", "uvicorn"))]
    assert [record for record in ours if record.levelno >= logging.WARNING] == []
    text = "\n".join(record.getMessage() for record in ours)
    assert text
    assert gateway.token not in text
    assert WRONG not in text


CLOSED = (
    ("GET", "/api/health"),
    ("GET", "/api/status"),
    ("GET", "/api/tools"),
    ("GET", "/api/sessions"),
    ("GET", "/api/sessions/x/messages"),
    ("PUT", "/api/sessions/x"),
    ("DELETE", "/api/sessions/x"),
    ("POST", "/api/sessions/x/abort"),
    ("POST", "/api/tools/x/call"),
    ("GET", "/api/config"),
    ("PUT", "/api/config"),
    ("GET", "/metrics"),
    ("POST", "/webhook"),
)


async def test_rest_needs_a_token(gateway: Entered) -> None:
    for method, path in CLOSED:
        for headers in ({}, bearer(WRONG)):
            answer = await gateway.bare(method, path, headers=headers, content=b"{}")
            assert answer.status_code == 401, path
            assert answer.json()["error"]


async def test_rest_takes_no_token_from_the_query(gateway: Entered) -> None:
    assert (await gateway.bare("GET", f"/api/status?token={gateway.token}")).status_code == 401


async def test_health_pairing_and_the_description_are_public(gateway: Entered) -> None:
    for path in ("/health", "/pair/code", "/openapi.json"):
        assert (await gateway.bare("GET", path)).status_code == 200


async def test_without_pairing_everybody_is_let_in_even_with_an_old_token(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http:
        assert (await http.get("/api/status")).status_code == 200
        assert (await http.get("/api/status", headers=bearer(WRONG))).status_code == 200


async def test_a_local_token_opens_rest_and_the_socket(gateway: Entered) -> None:
    answer = await gateway.bare("POST", "/admin/token")
    assert answer.json()["expires_in_s"] == 3600
    token = answer.json()["token"]
    assert (await gateway.bare("GET", "/api/status", headers=bearer(token))).status_code == 200
    assert await lets_in(gateway, additional_headers=bearer(token))


async def test_a_revoked_token_opens_nothing_and_closes_its_sockets(gateway: Entered) -> None:
    async with socket(gateway.socket_url, additional_headers=bearer(gateway.token)) as opened:
        await take(opened)
        (device,) = (await gateway.bare("GET", "/admin/devices")).json()["devices"]
        assert device["connected"] is True
        answer = await gateway.bare("DELETE", f"/admin/devices/{device['id']}")
        assert (answer.status_code, answer.json()) == (200, {"revoked": True, "id": device["id"]})
        with pytest.raises(ConnectionClosed) as closed:
            await take(opened)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
    assert (await gateway.http.get("/api/status")).status_code == 401
    assert not await lets_in(gateway, additional_headers=bearer(gateway.token))


async def test_using_a_token_is_a_sign_of_life(gateway: Entered) -> None:
    (before,) = (await gateway.bare("GET", "/admin/devices")).json()["devices"]
    assert before["last_seen"] is None
    await gateway.http.get("/api/status")
    (after,) = (await gateway.bare("GET", "/admin/devices")).json()["devices"]
    assert after["last_seen"] > after["paired_at"]


async def test_a_foreign_host_is_refused_everywhere(gateway: Entered) -> None:
    for path in ("/health", "/api/status", "/openapi.json", "/nothing"):
        answer = await gateway.http.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 403
        assert "server.allowed_hosts" in answer.json()["error"]


async def test_a_page_of_a_foreign_origin_is_refused_everywhere(gateway: Entered) -> None:
    evil = {"Origin": "https://evil.example"}
    for method, path in (("GET", "/api/status"), ("POST", "/admin/shutdown"), ("POST", "/api/tools/x/call")):
        assert (await gateway.http.request(method, path, headers=evil)).status_code == 403
    own = {"Origin": gateway.running.url}
    assert (await gateway.http.get("/api/status", headers=own)).status_code == 200
    assert not gateway.running.stopping.is_set()


async def test_host_and_origin_are_checked_for_sockets_too(gateway: Entered) -> None:
    port, token = gateway.running.port, bearer(gateway.token)
    rebound = await refused(f"ws://evil.example:{port}/ws/chat", host="127.0.0.1", port=port, additional_headers=token)
    foreign = await refused(gateway.socket_url, origin="https://evil.example", additional_headers=token)
    for refusal in (rebound, foreign):
        assert refusal is not None
        assert refusal.status_code == 403
    assert await lets_in(gateway, origin=gateway.running.url, additional_headers=token)


async def test_a_socket_at_another_path_is_refused_as_unknown(gateway: Entered) -> None:
    url = gateway.socket_url.replace("/ws/chat", "/ws/other")
    refusal = await refused(url, additional_headers=bearer(gateway.token))
    assert refusal is not None
    assert refusal.status_code == 404


async def test_a_page_of_an_allowed_origin_may_call_and_read(tmp_path: Path) -> None:
    allowed = "https://app.example"
    chosen = open_settings(server={"require_pairing": True, "allowed_origins": [allowed]})
    async with whole(tmp_path, settings=chosen) as running, rest(running) as http:
        preflight = await http.options(
            "/api/status",
            headers={
                "Origin": allowed,
                "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "authorization",
            },
        )
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == allowed
        answer = await http.get("/health", headers={"Origin": allowed})
        assert answer.headers["access-control-allow-origin"] == allowed
        assert (await http.get("/health", headers={"Origin": "https://other.example"})).status_code == 403


async def test_a_repeated_header_that_decides_who_enters_is_refused(gateway: Entered) -> None:
    headers = [("Authorization", f"Bearer {gateway.token}"), ("Authorization", f"Bearer {WRONG}")]
    answer = await gateway.bare("GET", "/api/status", headers=headers)
    assert answer.status_code == 400
    assert "authorization" in answer.json()["error"]


async def test_answers_are_private_and_say_what_they_are(gateway: Entered) -> None:
    answers: list[httpx.Response] = [
        await gateway.http.get("/api/status"),
        await gateway.http.post("/api/tools/none/call", json={}),
        await gateway.http.get("/nothing"),
    ]
    for answer in answers:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-type"] == "application/json"
        assert "server" not in answer.headers
