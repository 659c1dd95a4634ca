"""Large frames, results and bodies: one stated limit in bytes; what goes over it costs its own socket or call only."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from cetp_gateway.phone import Registered, VirtualPhone, read_fault
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedStep
from support.fake_vendor import FakeVendor, stream
from support.phones import SOON, Ear, pack, tool
from support.proxy import Proxy
from support.raw_phones import RawPhone, raw_phone
from support.vendor_models import openai_model
from support.vendor_streams import call_piece, openai_calls, openai_text
from support.whole import chat, open_settings, rest, send, take, until, whole

MIB = 1024 * 1024
ONE_MIB = open_settings(limits={"message_bytes": MIB})


async def called(http: httpx.AsyncClient, name: str) -> dict[str, Any]:
    answer = (await http.post(f"/api/tools/{name}/call", json={})).json()
    assert isinstance(answer, dict)
    return answer


async def answered_with(phone: RawPhone, request: dict[str, Any], letter: str, size: int) -> None:
    """Answer with a frame of exactly so many bytes, full of one letter."""
    frame = msgspec.json.encode({"type": "tool_result", "id": request["id"], "success": True, "output": "%"}).decode()
    room = size - len(frame) + 1
    text = letter * (room // len(letter.encode())) + "x" * (room % len(letter.encode()))
    whole_frame = frame.replace("%", text)
    assert len(whole_frame.encode()) == size
    await phone.socket.send(whole_frame)


@pytest.mark.parametrize("letter", ["a", "é", "😀"])
async def test_the_limit_of_a_message_counts_the_bytes_of_the_whole_frame(tmp_path: Path, letter: str) -> None:
    async with (
        whole(tmp_path, settings=ONE_MIB) as running,
        rest(running) as http,
        raw_phone(running.port, "big") as phone,
        raw_phone(running.port, "small", device_id="phone-2") as other,
    ):
        call = asyncio.create_task(called(http, "big"))
        await answered_with(phone, await phone.called(), letter, MIB)
        assert letter in (await call)["output"]

        call, others = asyncio.create_task(called(http, "big")), asyncio.create_task(called(http, "small"))
        await answered_with(phone, await phone.called(), letter, MIB + 1)
        assert (await phone.closing())[0] == 1009
        assert (await call)["outcome"] == "device_gone"
        await other.answer(await other.called(), "fine")
        assert (await others)["output"] == "fine"


async def test_a_frame_of_five_megabytes_ends_its_own_socket_and_its_tools_come_back_with_the_phone(
    tmp_path: Path,
) -> None:
    ear = Ear()
    huge = [read_fault("huge=5000000#1")]
    async with (
        whole(tmp_path) as running,
        rest(running) as http,
        raw_phone(running.port, "small", device_id="phone-2") as other,
        VirtualPhone(running.url, packs=[pack(tool())], faults=huge, listener=ear, policy=SOON) as phone,
    ):
        await phone.until_registered()
        assert (await called(http, "lamp__state"))["outcome"] == "device_gone"
        await ear.hear(Registered, 2)
        assert (await called(http, "lamp__state"))["outcome"] == "answered"
        call = asyncio.create_task(called(http, "small"))
        await other.answer(await other.called(), "never left")
        assert (await call)["output"] == "never left"


async def test_many_large_answers_that_wait_for_a_stalled_network_all_arrive(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        rest(running) as http,
        Proxy(running.port) as path,
        raw_phone(path.port, "big") as phone,
    ):
        calls = [asyncio.create_task(called(http, "big")) for _ in range(20)]
        requests = [await phone.called() for _ in calls]
        path.hold()
        answering = asyncio.create_task(_answer_all(phone, requests))
        await path.holding()
        assert not any(call.done() for call in calls)
        path.release()
        await answering
        assert [len((await call)["output"]) for call in calls] == [MIB] * 20


async def _answer_all(phone: RawPhone, requests: list[dict[str, Any]]) -> None:
    for request in requests:
        await phone.say(type="tool_result", id=request["id"], success=True, output="x" * MIB)


async def test_a_picture_in_a_result_reaches_the_model_as_a_note_and_the_rest_word_for_word(tmp_path: Path) -> None:
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(120_000)).decode()
    output = msgspec.json.encode({"caption": "the boiler", "image": f"data:image/png;base64,{picture}"}).decode()
    async with FakeVendor() as vendor:
        vendor.will(stream(*openai_calls(call_piece("{}", name="photo", id="c1"))), stream(*openai_text("A boiler.")))
        async with (
            whole(tmp_path, openai_model(vendor)) as running,
            raw_phone(running.port, "photo") as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="show me")
            await phone.answer(await phone.called(), output)
            await until(socket, "done")
    sent = str(vendor.requests[1].body)
    assert "the boiler" in sent
    assert picture[:200] not in sent
    assert len(sent) < 10_000


async def asked_after(running: Gateway) -> None:
    """Somebody else's turn works as if nothing had been."""
    async with chat(running, "another") as socket:
        await send(socket, type="message", content="hello")
        assert (await until(socket, "done"))[-1]["type"] == "done"


async def test_a_message_over_its_limit_is_an_error_that_names_it_and_the_socket_lives_on(tmp_path: Path) -> None:
    settings = open_settings(limits={"message_chars": 1000})
    async with (
        whole(tmp_path, [ScriptedStep(text="ok")] * 2, settings=settings) as running,
        chat(running) as socket,
    ):
        await send(socket, type="message", content="x" * 1001)
        error = await take(socket)
        assert error["type"] == "error"
        assert "message_chars" in error["message"]
        await send(socket, type="message", content="x" * 1000)
        assert (await until(socket, "done"))[-1]["full_response"] == "ok"
        await asked_after(running)
