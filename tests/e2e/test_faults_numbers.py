"""Numbers beyond 2^53 on their whole way: model, gateway, phone, result, model, REST, stored session."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from support.fake_vendor import FakeVendor, stream
from support.raw_phones import raw_phone
from support.vendor_models import anthropic_model, openai_model
from support.vendor_streams import (
    anthropic_text,
    call_piece,
    ended,
    openai_calls,
    openai_text,
    started,
    tool_block,
)
from support.whole import chat, rest, send, take, until, whole

DIGITS = '{"id":9007199254740993,"max":9223372036854775807,"over":18446744073709551616,"low":-9223372036854775809}'
ECHO = {
    "name": "echo",
    "description": "Says what it is told.",
    "parameters": {"type": "object", "properties": {"id": {"type": "integer"}, "over": {"type": "integer"}}},
}


@pytest.mark.parametrize("vendor_name", ["anthropic", "openai"])
async def test_digits_stay_as_they_are_from_the_model_to_the_phone_and_back(tmp_path: Path, vendor_name: str) -> None:
    async with FakeVendor() as vendor:
        if vendor_name == "anthropic":
            model = anthropic_model(vendor)
            asks = stream(started(), tool_block(0, "c1", "echo", DIGITS[:30], DIGITS[30:]), ended("tool_use"))
            vendor.will(asks, stream(*anthropic_text("Said.")))
        else:
            model = openai_model(vendor)
            vendor.will(stream(*openai_calls(call_piece(DIGITS, name="echo", id="c1"))), stream(*openai_text("Said.")))
        async with (
            whole(tmp_path, model) as running,
            raw_phone(running.port, ECHO) as phone,
            chat(running, "kitchen") as socket,
            rest(running) as http,
        ):
            await send(socket, type="message", content="echo it")
            request = await phone.called()
            assert msgspec.json.encode(request["args"]).decode() == DIGITS
            await phone.say(type="tool_result", id=request["id"], success=True, output=msgspec.Raw(DIGITS.encode()))
            shown = await until(socket, "done")
            stored = (await http.get("/api/sessions/kitchen/messages")).text
    (result,) = [frame for frame in shown if frame["type"] == "tool_result"]
    assert result["output"] == DIGITS
    assert [msgspec.json.encode(frame["args"]).decode() for frame in shown if frame["type"] == "tool_call"] == [DIGITS]
    sent_back = msgspec.json.encode(vendor.requests[1].body).decode().replace("\\", "")
    for number in msgspec.json.decode(DIGITS).values():
        # In the replayed call and in its result; the stored session holds both as well.
        assert sent_back.count(f"{number}") >= 2
        assert f"{number}" in stored


async def test_digits_stay_as_they_are_through_rest(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, ECHO) as phone:
        body = f'{{"arguments":{DIGITS}}}'
        call = asyncio.create_task(http.post("/api/tools/echo/call", content=body))
        request = await phone.called()
        assert msgspec.json.encode(request["args"]).decode() == DIGITS
        await phone.answer(request, DIGITS)
        assert (await call).json()["output"] == DIGITS


@pytest.mark.parametrize("number", ["1e400", "-1e999", "NaN", "Infinity"])
async def test_a_number_that_no_double_holds_is_refused_before_the_phone_is_asked(tmp_path: Path, number: str) -> None:
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, ECHO) as phone:
        refused = await http.post("/api/tools/echo/call", content=f'{{"arguments":{{"id":{number}}}}}')
        assert (refused.status_code, refused.json()["error"] != "") == (400, True)
        call = asyncio.create_task(http.post("/api/tools/echo/call", json={"arguments": {"id": 1}}))
        request = await phone.called()
        assert request["args"] == {"id": 1}
        await phone.answer(request, "one")
        assert (await call).json()["output"] == "one"


@pytest.mark.parametrize("number", ["1e400", "0.10", "123456789012345678901234567890"])
async def test_a_bare_number_as_a_result_is_shown_as_the_phone_wrote_it(tmp_path: Path, number: str) -> None:
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, ECHO) as phone:
        call = asyncio.create_task(http.post("/api/tools/echo/call", json={}))
        request = await phone.called()
        await phone.socket.send(f'{{"type":"tool_result","id":"{request["id"]}","output":{number}}}')
        assert (await call).json()["output"] == number


@pytest.mark.parametrize("junk", ["NaN", "Infinity", "01", "+1"])
async def test_what_only_looks_like_a_number_is_no_json_and_ends_nothing(tmp_path: Path, junk: str) -> None:
    async with whole(tmp_path) as running, raw_phone(running.port, ECHO) as phone:
        await phone.socket.send(f'{{"type":"tool_result","id":"x","output":{junk}}}')
        assert (await take(phone.socket))["code"] == "INVALID_JSON"
        assert (await phone.offer(ECHO))["registered"] == 1


async def test_of_a_key_that_stands_twice_everybody_sees_the_same_value(tmp_path: Path) -> None:
    chosen = {
        "name": "pick",
        "description": "Picks.",
        "parameters": {"type": "object", "properties": {"op": {"enum": ["read"]}}},
    }
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, chosen) as phone:
        fits, does_not = '{"arguments":{"op":"erase","op":"read"}}', '{"arguments":{"op":"read","op":"erase"}}'
        refused = await http.post("/api/tools/pick/call", content=does_not)
        assert refused.json()["outcome"] == "invalid_arguments"
        call = asyncio.create_task(http.post("/api/tools/pick/call", content=fits))
        request = await phone.called()
        assert request["args"] == {"op": "read"}
        await phone.answer(request, "read")
        assert (await call).json()["output"] == "read"
