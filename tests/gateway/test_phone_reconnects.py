"""The virtual phone comes back after a loss, ever more slowly, and stops when coming back would not help."""

import asyncio
import logging
from itertools import pairwise
from typing import Any

import pytest

from cetp_gateway.errors import GatewayRefused, GatewayUnreachable
from cetp_gateway.phone import (
    BackoffPolicy,
    Connecting,
    Disconnected,
    Pack,
    PhoneLimits,
    Registered,
    Stopped,
    VirtualPhone,
)
from cetp_gateway.testing.fake_gateway import FakeGateway
from support.phones import HASTY, SOON, Ear, pack, tool

LAMP = pack(tool())
NEVER_AGAIN = BackoffPolicy(first_s=600, cap_s=600)


def phone_at(gateway: FakeGateway, *packs: Pack, **more: Any) -> VirtualPhone:
    values = {"limits": HASTY, "policy": SOON, **more}
    return VirtualPhone(gateway.url, values.pop("token", gateway.token), packs or (LAMP,), **values)


async def test_delays_grow_while_the_gateway_accepts_and_closes_at_once() -> None:
    ear = Ear()
    async with FakeGateway(closes_with=1011) as gateway, phone_at(gateway, listener=ear):
        await ear.hear(Disconnected, 8)

        delays = [event.retry_in_s for event in ear.all(Disconnected)[:8]]
        assert delays == [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.05, 0.05]
        assert gateway.most_open == 1


@pytest.mark.parametrize("code", [1001, 1012])
async def test_even_a_restarting_gateway_is_not_hammered_when_it_never_takes_a_registration(code: int) -> None:
    ear = Ear()
    async with FakeGateway(closes_with=code) as gateway, phone_at(gateway, listener=ear):
        await ear.hear(Disconnected, 4)

    assert all(late.retry_in_s > soon.retry_in_s for soon, late in pairwise(ear.all(Disconnected)[:4]))


async def test_a_greeting_alone_does_not_reset_the_delays_but_an_accepted_registration_does() -> None:
    ear = Ear()
    async with FakeGateway(accepts=False) as gateway, phone_at(gateway, listener=ear) as phone:
        for _ in range(3):
            device = await gateway.device()
            await device.take("register_tools")
            await device.close(1011)
        gateway.accepts = True
        await phone.until_registered()
        await (await gateway.device()).close(1011)
        await ear.hear(Disconnected, 4)

    assert [event.retry_in_s for event in ear.all(Disconnected)[:4]] == [0.001, 0.002, 0.004, 0.001]


@pytest.mark.parametrize("code", [1001, 1012, 4408, 4429, 1011])
async def test_after_a_passing_loss_the_phone_registers_again(code: int) -> None:
    async with FakeGateway() as gateway, phone_at(gateway) as phone:
        await phone.until_registered()
        await (await gateway.device()).close(code)
        again = await gateway.device()

        await phone.until_registered()
        assert list(again.tools) == ["lamp__state"]
        assert gateway.most_open == 1


async def test_a_connection_that_breaks_without_a_word_is_made_again() -> None:
    async with FakeGateway() as gateway, phone_at(gateway) as phone:
        await phone.until_registered()
        (await gateway.device()).drop()
        again = await gateway.device()

        assert (await again.take("register_tools"))["replace"] is True


async def test_a_gateway_that_restarts_finds_the_phone_again() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, listener=ear) as phone:
        await phone.until_registered()
        await gateway.stop(1012)
        down = await ear.hear(Disconnected, like=lambda event: "cetp serve" in event.reason)
        await gateway.start()
        await ear.hear(Registered, 2)

    assert gateway.url.removeprefix("http") in down.reason
    assert ear.all(Disconnected)[0].reason == "the gateway is restarting"


async def test_an_app_installed_during_an_outage_is_registered_afterwards() -> None:
    async with FakeGateway() as gateway, phone_at(gateway) as phone:
        await phone.until_registered()
        await gateway.stop(1012)
        phone.install(pack(tool("heat"), package="com.example.oven"))
        await gateway.start()
        await phone.until_registered()

        devices = [await gateway.device(), await gateway.device()]
        assert set(devices[-1].tools) == {"lamp__state", "oven__heat"}


async def test_a_network_that_swallows_everything_is_noticed() -> None:
    limits = PhoneLimits(ping_s=0.05, close_s=0.1)
    async with FakeGateway() as gateway, phone_at(gateway, limits=limits) as phone:
        await phone.until_registered()
        first = await gateway.device()
        first.deafen()

        again = await gateway.device()
        await again.take("register_tools")


@pytest.mark.parametrize(("code", "words"), [(4401, "cetp pair"), (4403, "not allowed"), (4409, "'kitchen'")])
async def test_a_phone_that_is_turned_away_stops_and_says_what_to_do(code: int, words: str) -> None:
    ear = Ear()
    async with FakeGateway() as gateway:
        phone = phone_at(gateway, device_id="kitchen", listener=ear)
        running = asyncio.create_task(phone.run())
        await phone.until_registered()
        await (await gateway.device()).close(code)
        with pytest.raises(GatewayRefused, match=words) as refused:
            await asyncio.wait_for(running, 10)

        assert refused.value.status == code
        assert gateway.attempts == 1
        assert words in ear.all(Stopped)[0].reason


async def test_leaving_a_phone_that_was_turned_away_tells_why() -> None:
    ear = Ear()
    async with FakeGateway(refuses=401) as gateway:
        with pytest.raises(GatewayRefused, match="cetp pair"):
            async with phone_at(gateway, listener=ear):
                await ear.hear(Stopped)


@pytest.mark.parametrize(("status", "words"), [(401, "cetp pair"), (403, "owner"), (404, "address")])
async def test_an_upgrade_that_is_refused_for_good_is_not_tried_again(status: int, words: str) -> None:
    async with FakeGateway(refuses=status) as gateway:
        with pytest.raises(GatewayRefused, match=words) as refused:
            await phone_at(gateway).run()

        assert refused.value.status == status
        assert gateway.attempts == 1


async def test_a_wrong_token_stops_the_phone() -> None:
    async with FakeGateway(token="right") as gateway:
        with pytest.raises(GatewayRefused) as refused:
            await phone_at(gateway, token="wrong").run()

    assert refused.value.status == 401
    assert "wrong" not in str(refused.value)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_an_upgrade_that_fails_for_now_is_tried_again(status: int) -> None:
    ear = Ear()
    async with FakeGateway(refuses=status) as gateway, phone_at(gateway, listener=ear) as phone:
        assert str(status) in (await ear.hear(Disconnected)).reason
        gateway.refuses = 0

        await phone.until_registered()


async def test_a_gateway_that_closes_with_1000_ends_the_phone_without_an_error() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, listener=ear) as phone:
        await phone.until_registered()
        await (await gateway.device()).close(1000, "bye")
        await phone.until_ended()

        assert gateway.attempts == 1
        with pytest.raises(RuntimeError, match="has stopped"):
            await phone.until_registered()
    assert ear.all(Stopped)[0].reason == "the gateway closed the connection for good (bye)"


async def test_stopping_a_connected_phone_closes_with_1000() -> None:
    async with FakeGateway() as gateway:
        async with phone_at(gateway) as phone:
            await phone.until_registered()
            device = await gateway.device()

        assert await device.ended() == 1000


async def test_a_phone_that_waits_for_its_next_attempt_can_be_stopped_at_once() -> None:
    ear = Ear()
    async with (
        FakeGateway(closes_with=1011) as gateway,
        phone_at(gateway, policy=NEVER_AGAIN, listener=ear) as phone,
    ):
        await ear.hear(Disconnected)
        phone.stop()
        phone.stop()
        await phone.until_ended()

    assert ear.all(Stopped)[0].reason == "stopped"
    assert len(ear.all(Connecting)) == 1


async def test_a_phone_that_may_not_come_back_ends_with_its_first_connection() -> None:
    async with FakeGateway(closes_with=1011) as gateway:
        with pytest.raises(GatewayUnreachable, match="1011"):
            await phone_at(gateway, reconnect=False).run()

        assert gateway.attempts == 1


async def test_without_a_gateway_the_error_says_how_to_start_one() -> None:
    async with FakeGateway() as gateway:
        url = gateway.url
    with pytest.raises(GatewayUnreachable, match="cetp serve"):
        await VirtualPhone(url, reconnect=False).run()


async def test_something_that_is_no_gateway_is_told_apart_from_nothing() -> None:
    async with FakeGateway() as gateway:
        url = gateway.url
        await gateway.stop()
        server = await _speaker_of_nonsense(url)
        async with server:
            with pytest.raises(GatewayUnreachable, match="is no gateway"):
                await VirtualPhone(url, reconnect=False).run()


async def _speaker_of_nonsense(url: str) -> Any:
    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail ready\r\n")
        writer.close()
        await writer.wait_closed()

    return await asyncio.start_server(speak, "127.0.0.1", int(url.rpartition(":")[2]))


async def test_the_token_shows_in_no_log_event_or_representation(caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear()
    token = "0123456789abcdef-hush"
    with caplog.at_level(logging.DEBUG):
        async with FakeGateway(token=token) as gateway, phone_at(gateway, listener=ear) as phone:
            await phone.until_registered()
            shown = f"{phone!r} {vars(phone)['url']} {ear.events}"

    client_log = [record.getMessage() for record in caplog.records if record.name.startswith("cetp_gateway.phone")]
    assert token not in shown
    assert token not in "\n".join(client_log)


@pytest.mark.parametrize("device_id", ["", "with blank", "é", "x" * 129])
def test_a_device_id_that_no_gateway_takes_is_refused(device_id: str) -> None:
    with pytest.raises(ValueError, match="device id"):
        VirtualPhone("box", device_id=device_id)
