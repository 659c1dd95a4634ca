"""What a schedule's webhook is told: signed as Standard Webhooks has it, tried again, and not sent just anywhere."""

import base64
import json
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.errors import ScheduleRefused, SettingsError
from cetp_gateway.schedules.signature import key_of, signed_headers
from cetp_gateway.schedules.target import NotAllowed, check_url, resolve
from cetp_gateway.testing import Hold, ScriptedStep
from support.hand_clock import START, HandClock
from support.scheduled import Scheduled, scheduled
from support.webhook_receiver import receiver

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OPEN = {"webhook_secret": SECRET, "webhook_private_addresses": True}
ANSWER = [ScriptedStep(text="All is well.")]


def test_the_signature_is_that_of_the_specifications_example() -> None:
    headers = signed_headers(key_of(SECRET), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


@given(st.binary(min_size=24, max_size=64))
def test_a_secret_is_base64_behind_its_prefix_or_any_long_text(key: bytes) -> None:
    assert key_of(f"whsec_{base64.b64encode(key).decode()}") == key
    assert key_of("a text of 24 characters and more") == b"a text of 24 characters and more"
    assert key_of("") == b""


@pytest.mark.parametrize("secret", ["short", "whsec_c2hvcnQ=", "whsec_no base64 at all, is it?"])
def test_a_secret_that_cannot_be_used_is_refused_by_its_settings_name(secret: str) -> None:
    with pytest.raises(SettingsError, match=r"schedules\.webhook_secret"):
        key_of(secret)


async def test_the_end_of_a_run_is_posted_signed(tmp_path: Path) -> None:
    async with receiver() as somebody, scheduled(tmp_path, ANSWER, schedules=OPEN) as gateway:
        job = await gateway.add("in 20 minutes", name="check", webhook=somebody.url)
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)
        [got] = somebody.got

    assert run.delivery == "delivered"
    sent = json.loads(got.body)
    assert (sent["type"], sent["data"]["status"], sent["data"]["output"]) == (
        "schedule.run.ended",
        "done",
        "All is well.",
    )
    assert (sent["data"]["schedule_id"], sent["data"]["schedule"]) == (job["id"], "check")
    message_id, at = got.headers["webhook-id"], int(got.headers["webhook-timestamp"])
    assert (message_id, at) == (f"{job['id']}-{run.id}", int((START + timedelta(minutes=20)).timestamp()))
    expected = signed_headers(key_of(SECRET), message_id, at, got.body)["webhook-signature"]
    assert got.headers["webhook-signature"] == expected
    assert got.headers["host"] == somebody.url.split("/")[2]


async def pausing(gateway: Scheduled, waits: int) -> None:
    """Go on once somebody pauses before the next try."""
    await gateway.clock.watched(waits)
    gateway.clock.set(gateway.clock.now() + timedelta(minutes=6))


async def test_a_failed_try_is_repeated_with_the_same_id_and_content(tmp_path: Path) -> None:
    async with receiver(500, 429, 204) as somebody, scheduled(tmp_path, ANSWER, schedules=OPEN) as gateway:
        job = await gateway.add("in 20 minutes", webhook=somebody.url)
        waits = len(gateway.clock.until)
        await gateway.clock.advance(minutes=20)
        await pausing(gateway, waits + 2)
        await pausing(gateway, waits + 3)
        [run] = await gateway.ended(job)

    assert run.delivery == "delivered"
    assert len({(got.headers["webhook-id"], got.body) for got in somebody.got}) == 1
    assert len({got.headers["webhook-timestamp"] for got in somebody.got}) == 3


@pytest.mark.parametrize("status", [302, 400, 404, 410])
async def test_an_answer_that_says_no_is_not_asked_again_and_no_redirection_is_followed(
    tmp_path: Path, status: int
) -> None:
    async with receiver(status) as somebody, scheduled(tmp_path, ANSWER, schedules=OPEN) as gateway:
        job = await gateway.add("in 20 minutes", webhook=somebody.url)
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)

    assert (run.delivery, len(somebody.got)) == (f"failed: it answered with status {status}.", 1)
    assert run.output == "All is well."


async def test_tries_come_to_an_end(tmp_path: Path) -> None:
    chosen = OPEN | {"webhook_attempts": 2}
    async with receiver(500, 500) as somebody, scheduled(tmp_path, ANSWER, schedules=chosen) as gateway:
        job = await gateway.add("in 20 minutes", webhook=somebody.url)
        waits = len(gateway.clock.until)
        await gateway.clock.advance(minutes=20)
        await pausing(gateway, waits + 2)
        [run] = await gateway.ended(job)

    assert (run.delivery, len(somebody.got)) == ("failed: it answered with status 500.", 2)


async def test_what_could_not_be_delivered_before_the_gateway_ended_is_delivered_at_the_next_start(
    tmp_path: Path,
) -> None:
    async with receiver(500) as somebody:
        async with scheduled(tmp_path, ANSWER, schedules=OPEN) as gateway:
            job = await gateway.add("in 20 minutes", webhook=somebody.url)
            waits = len(gateway.clock.until)
            await gateway.clock.advance(minutes=20)
            await gateway.clock.watched(waits + 2)
        later = HandClock(START + timedelta(hours=1))
        async with scheduled(tmp_path, clock=later, schedules=OPEN) as gateway:
            [run] = await gateway.ended(job)

    assert run.delivery == "delivered"
    assert len({got.headers["webhook-id"] for got in somebody.got}) == 1


async def test_a_run_that_the_gateways_end_interrupted_is_told_at_the_next_start(tmp_path: Path) -> None:
    hold = Hold()
    async with receiver() as somebody:
        async with scheduled(tmp_path, [ScriptedStep(text="so far", hold=hold)], schedules=OPEN) as gateway:
            job = await gateway.add("in 20 minutes", webhook=somebody.url)
            await gateway.clock.advance(minutes=20)
            await hold.reached.wait()
        assert somebody.got == []
        async with scheduled(tmp_path, clock=HandClock(START + timedelta(hours=1)), schedules=OPEN) as gateway:
            [run] = await gateway.ended(job)

    assert run.delivery == "delivered"
    assert json.loads(somebody.got[0].body)["data"]["status"] == "interrupted"


async def test_this_machine_is_not_reached_unless_the_settings_allow_it(tmp_path: Path) -> None:
    closed = {"webhook_secret": SECRET}
    async with receiver() as somebody, scheduled(tmp_path, ANSWER, schedules=closed) as gateway:
        job = await gateway.add("in 20 minutes", webhook=somebody.url.replace("127.0.0.1", "localhost"))
        await gateway.clock.advance(minutes=20)
        [run] = await gateway.ended(job)

    assert "schedules.webhook_private_addresses" in run.delivery
    assert somebody.got == []


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.0.0.1", "192.168.1.5", "169.254.169.254", "[::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "0.0.0.0"],
)
async def test_private_addresses_are_known_in_every_form(host: str) -> None:
    with pytest.raises(NotAllowed):
        await resolve(f"http://{host}/hook", private=False)
    assert (await resolve(f"http://{host}/hook", private=True)).host == host


async def test_the_address_that_was_judged_is_the_one_that_is_asked() -> None:
    target = await resolve("https://127.0.0.1:8443/a?b=c#d", private=True)
    assert (target.url, target.host, target.name) == ("https://127.0.0.1:8443/a?b=c", "127.0.0.1:8443", "127.0.0.1")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "example.org",
        "http://",
        "http://a:99999/",
        "https://user:pw@example.org/",
        "https://a b/",
        "http://[::1",
    ],
)
def test_what_is_no_usable_url_is_refused(url: str) -> None:
    with pytest.raises(ScheduleRefused, match=r"^webhook: "):
        check_url(url)


async def test_without_a_secret_no_schedule_gets_a_webhook(tmp_path: Path) -> None:
    async with scheduled(tmp_path) as gateway:
        wish = {"schedule": "in 5 minutes", "prompt": "x", "webhook": "https://example.org/"}
        answer = await gateway.http.post("/api/cron", json=wish)

    assert (answer.status_code, "schedules.webhook_secret" in answer.json()["error"]) == (400, True)


async def test_the_secret_is_never_shown(tmp_path: Path) -> None:
    (tmp_path / "cetp.toml").write_text(f'[schedules]\nwebhook_secret = "{SECRET}"\n')
    async with scheduled(tmp_path, schedules=OPEN) as gateway:
        await gateway.add("in 5 minutes", webhook="https://example.org/")
        shown = [(await gateway.http.get(path)).text for path in ("/api/config", "/api/cron", "/api/cron/settings")]

    assert all(SECRET not in text for text in shown)
    assert SECRET not in "".join(str(row) for row in (tmp_path / "cetp.db").read_bytes().split())
