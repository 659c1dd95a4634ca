"""Usage and budget of a whole gateway: what the person's socket, REST and the command line say."""

from pathlib import Path

import pytest

from cetp_gateway.api import Usage
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.fake_vendor import Drop, FakeVendor, stream
from support.raw_phones import raw_phone
from support.served import cetp
from support.vendor_models import openai_model
from support.vendor_streams import call_piece, chunk, openai_calls, openai_text
from support.whole import call_step, chat, open_settings, rest, send, until, whole

PRICES = {"prices": {"script": {"input": 1.0, "output": 10.0}}}


def said(text: str = "", *, calls: bool = False) -> ScriptedStep:
    step = call_step("lamp") if calls else ScriptedStep(text=text)
    return ScriptedStep(text=step.text, calls=step.calls, usage=Usage(1000, 100, 400))


async def test_rest_and_the_command_line_tell_what_a_turn_has_cost(tmp_path: Path) -> None:
    settings = open_settings(usage=PRICES, budget={"usd_per_day": 5.0})
    steps = [said(calls=True), said("It is on.")]
    async with (
        whole(tmp_path, steps, settings=settings) as running,
        raw_phone(running.port, "lamp") as phone,
        chat(running, "kitchen") as socket,
    ):
        await send(socket, type="message", content="is the lamp on?")
        await phone.answer(await phone.called(), "on")
        await until(socket, "done")
        async with rest(running) as client:
            report = (await client.get("/api/cost", params={"session_id": "kitchen"})).json()
            refused = await client.get("/api/cost", params={"days": 0})
        table = await cetp("usage", "--by", "tool", "--gateway", running.url, folder=tmp_path)
        as_json = await cetp("usage", "--json", "--gateway", running.url, folder=tmp_path)

    assert report["cost"]["session_cost_usd"] == pytest.approx(0.004)
    assert report["cost"]["daily_cost_usd"] == report["cost"]["monthly_cost_usd"] == pytest.approx(0.004)
    assert report["cost"]["total_tokens"] == 2200
    assert report["cost"]["request_count"] == 2
    assert report["cost"]["by_model"]["scripted/script"]["request_count"] == 2
    assert {row["key"]: row["requests"] for row in report["tools"]} == {"": 1, "lamp": 1}
    assert [row["key"] for row in report["sessions"]] == ["kitchen"]
    assert report["budget"]["usd_per_day"] == 5.0
    assert refused.status_code == 400
    assert table.code == 0, table.err
    assert "lamp" in table.out
    assert "$0.0020" in table.out
    assert "Today: $0.00 of $5.00" in table.out
    assert '"request_count":2' in as_json.out.replace(" ", "")


async def test_before_the_first_question_there_is_nothing_to_tell(tmp_path: Path) -> None:
    async with whole(tmp_path) as running:
        told = await cetp("usage", "--gateway", running.url, folder=tmp_path)

    assert told.out.splitlines()[0] == "No model has been asked yet."


async def test_a_used_up_budget_ends_the_turn_with_a_sentence_and_lets_the_rest_of_the_gateway_be(
    tmp_path: Path,
) -> None:
    limits = {"usd_per_session": 0.0035}
    settings = open_settings(usage=PRICES, budget=limits, model={"max_output_tokens": 100})
    model = ScriptedModel([said("one"), said("two"), said("other session")])
    async with whole(tmp_path, model, settings=settings) as running, chat(running, "a") as socket:
        await send(socket, type="message", content="hello")
        await until(socket, "done")
        await send(socket, type="message", content="x" * 6000)
        error = (await until(socket, "error"))[-1]
        async with chat(running, "b") as other:
            await send(other, type="message", content="hello")
            assert (await until(other, "done"))[-1]["full_response"] == "two"

    assert error["code"] == "BUDGET_EXCEEDED"
    assert "budget.usd_per_session" in error["message"]
    assert len(model.requests) == 2


async def test_a_tool_runs_once_though_the_answer_about_its_result_breaks_and_another_model_goes_on(
    tmp_path: Path,
) -> None:
    async with FakeVendor() as vendor:
        vendor.will(
            stream(*openai_calls(call_piece("{}", name="lamp", id="c1"))),
            stream(chunk({"role": "assistant"}), end=Drop()),
            stream(chunk({"role": "assistant"}), end=Drop()),
            stream(*openai_text("It is on.")),
        )
        model = openai_model(vendor, "ollama", retries=1, fallbacks=(f"llamacpp/b@{vendor.url}/v1",))
        async with (
            whole(tmp_path, model) as running,
            raw_phone(running.port, "lamp") as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="is the lamp on?")
            await phone.answer(await phone.called(), "on")
            frames = await until(socket, "done")
            await phone.say(type="register_tools", tools=[])
            later = await until(phone.socket, "tools_registered")

    assert frames[-1]["full_response"] == "It is on."
    assert "tool_call_request" not in [frame["type"] for frame in later]
    bodies = [request.body for request in vendor.requests]
    assert [body["model"] for body in bodies] == ["m", "m", "m", "b"]
    assert [message["role"] for message in bodies[3]["messages"]][-2:] == ["assistant", "tool"]
