"""Approvals and audit as people meet them: over sockets, REST and the command line, through reconnects."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx

from cetp_gateway.api import Answered, Arguments, CallContext, Effect, Outcome, ToolSpec, ToolUse
from cetp_gateway.assemble import Parts
from cetp_gateway.testing import ScriptedStep
from support.entered import Entered, entered
from support.served import served
from support.whole import WITHIN_S
from support.wire_client import WireClient, wire

CAPABILITY = "cetp.approvals"


class Ledger:
    """A built-in tool that writes."""

    spec = ToolSpec(
        name="ledger_add",
        description="Adds a line.",
        parameters={"type": "object", "properties": {"line": {"type": "string"}}},
        effect=Effect.WRITES,
    )

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def execute(self, arguments: Arguments, _: CallContext) -> Outcome:
        self.lines.append(arguments["line"])
        return Answered("added")


def adding(line: str = "milk") -> list[ScriptedStep]:
    return [ScriptedStep(calls=(ToolUse("c1", "ledger_add", {"line": line}),)), ScriptedStep(text="Noted.")]


async def first_open(http: httpx.AsyncClient) -> dict[str, Any]:
    """The open question; the frame that announced it has been seen, so it is there."""
    (call,) = (await http.get("/api/approvals")).json()["open"]
    assert isinstance(call, dict)
    return call


async def until(client: WireClient, kind: str) -> dict[str, Any]:
    return (await client.until(kind))[-1]


async def answer(client: WireClient, request: dict[str, Any], decision: str = "allow", **more: str) -> str:
    await client.say("approval_response", id=request["id"], digest=request["digest"], decision=decision, **more)
    return str((await until(client, "approval_ack"))["status"])


async def test_a_person_answers_on_another_device_than_the_one_that_chats(tmp_path: Path) -> None:
    ledger = Ledger()
    async with (
        entered(tmp_path, model=adding(), parts=Parts(tools=[ledger])) as gateway,
        wire(gateway.running, "?session_id=kitchen", token=gateway.token) as chat,
        wire(gateway.running, "?session_id=inbox", token=gateway.token) as inbox,
    ):
        await inbox.introduce(CAPABILITY)
        await chat.say("message", content="note milk")
        request = await until(inbox, "approval_request")
        assert (request["tool"], request["args"], request["session_id"]) == ("ledger_add", {"line": "milk"}, "kitchen")
        assert ledger.lines == []
        assert await answer(inbox, request) == "accepted"
        assert (await until(chat, "done"))["full_response"] == "Noted."
    assert ledger.lines == ["milk"]


async def test_a_client_that_did_not_offer_to_ask_people_is_shown_nothing_and_cannot_answer(tmp_path: Path) -> None:
    ledger = Ledger()
    async with (
        entered(tmp_path, model=adding(), parts=Parts(tools=[ledger])) as gateway,
        wire(gateway.running, "?session_id=a", token=gateway.token) as chat,
        wire(gateway.running, "?session_id=b", token=gateway.token) as inbox,
    ):
        await inbox.introduce(CAPABILITY)
        await chat.introduce("cetp.notices", device_id="plain")
        await chat.say("message", content="note milk")
        request = await until(inbox, "approval_request")
        assert (await chat.hear("tool_call"))["name"] == "ledger_add"
        await chat.say("approval_response", id=request["id"], digest=request["digest"], decision="allow")
        assert (await chat.hear("error"))["code"] == "UNKNOWN_MESSAGE_TYPE"
        assert ledger.lines == []
        assert await answer(inbox, request, "deny") == "accepted"
        assert "said no" in (await until(chat, "tool_result"))["output"]
    assert ledger.lines == []


async def test_a_question_outlives_the_socket_that_asked_and_is_shown_again(tmp_path: Path) -> None:
    ledger = Ledger()
    async with entered(tmp_path, model=adding(), parts=Parts(tools=[ledger])) as gateway:
        async with wire(gateway.running, "?session_id=s", token=gateway.token) as chat:
            await chat.introduce(CAPABILITY)
            await chat.say("message", content="note milk")
            before = await until(chat, "approval_request")
            chat.drop()
        async with wire(gateway.running, "?session_id=s", token=gateway.token) as chat:
            await chat.introduce(CAPABILITY)
            again = await until(chat, "approval_request")
            assert (again["id"], again["digest"]) == (before["id"], before["digest"])
            await chat.say("approval_response", id=again["id"], digest=again["digest"], decision="allow")
            assert (await until(chat, "done"))["full_response"] == "Noted."
        messages = (await gateway.http.get("/api/sessions/s/messages")).json()["messages"]
    assert ledger.lines == ["milk"]
    assert messages[-1]["content"] == "Noted."


async def test_a_turn_that_waits_can_be_stopped_and_other_sessions_go_on(tmp_path: Path) -> None:
    ledger = Ledger()
    steps = [*adding()[:1], ScriptedStep(text="Hello.")]
    async with (
        entered(tmp_path, model=steps, parts=Parts(tools=[ledger])) as gateway,
        wire(gateway.running, "?session_id=waits", token=gateway.token) as waits,
        wire(gateway.running, "?session_id=other", token=gateway.token) as other,
    ):
        await waits.introduce(CAPABILITY)
        await waits.say("message", content="note milk")
        await until(waits, "approval_request")
        assert (await other.ask("hello"))[-1]["full_response"] == "Hello."
        await waits.say("abort")
        assert (await until(waits, "approval_closed"))["decision"] == "cancelled"
        await until(waits, "aborted")
    assert ledger.lines == []


async def rest_call(gateway: Entered, **body: Any) -> "asyncio.Task[httpx.Response]":
    return asyncio.create_task(gateway.http.post("/api/tools/ledger_add/call", json=body))


async def test_rest_shows_a_call_takes_the_answer_and_lists_what_was_allowed_for_good(tmp_path: Path) -> None:
    ledger = Ledger()
    async with (
        entered(tmp_path, parts=Parts(tools=[ledger])) as gateway,
        wire(gateway.running, token=gateway.token) as inbox,
    ):
        await inbox.introduce(CAPABILITY)
        running = await rest_call(gateway, arguments={"line": "milk"})
        await until(inbox, "approval_request")
        call = await first_open(gateway.http)
        assert (call["caller"], call["scopes"]) == ("rest", ["once", "always"])

        path, yes = f"/api/approvals/{call['id']}", {"digest": call["digest"], "decision": "allow"}
        assert (await gateway.http.post(path, json=yes | {"digest": "0" * 64})).status_code == 409
        assert (await gateway.http.post(path, json=yes | {"scope": "session"})).status_code == 400
        assert (await gateway.http.post("/api/approvals/none", json=yes)).status_code == 404
        assert (await gateway.bare("POST", path, json=yes)).status_code == 401
        assert (await gateway.http.post(path, json=yes | {"scope": "always"})).is_success
        assert (await gateway.http.post(path, json=yes)).status_code == 409
        async with asyncio.timeout(WITHIN_S):
            assert (await running).json()["output"] == "added"

        async with asyncio.timeout(WITHIN_S):
            assert (await (await rest_call(gateway, arguments={"line": "eggs"}))).is_success
        (grant,) = (await gateway.http.get("/api/approvals")).json()["grants"]
        assert grant["tool"] == "ledger_add"
        assert (await gateway.http.delete(f"/api/approvals/grants/{grant['id']}")).json()["revoked"] is True
        refused = await (await rest_call(gateway, arguments={"line": "tea"}, timeout_ms=50))
        assert refused.json()["outcome"] == "denied"
    assert ledger.lines == ["milk", "eggs"]


async def test_a_sessions_autonomy_is_set_and_obeyed(tmp_path: Path) -> None:
    ledger = Ledger()
    steps = [*adding("one"), *adding("two")]
    async with (
        entered(tmp_path, model=steps, parts=Parts(tools=[ledger])) as gateway,
        wire(gateway.running, "?session_id=s", token=gateway.token) as chat,
    ):
        path = "/api/sessions/s/autonomy"
        assert (await gateway.http.put("/api/sessions/none/autonomy", json={"autonomy": "full"})).status_code == 404
        assert (await gateway.http.put(path, json={"autonomy": "root"})).status_code == 400
        assert (await gateway.http.put(path, json={"autonomy": "full"})).is_success
        await chat.ask("note one")
        assert (await gateway.http.put(path, json={"autonomy": "read_only"})).is_success
        assert (await gateway.http.get(path)).json() == {"autonomy": "read_only"}
        frames = await chat.ask("note two")
        assert any("read_only" in frame.get("output", "") for frame in frames)
        trail = (await gateway.http.get("/api/audit", params={"session": "s"})).json()["entries"]
    assert ledger.lines == ["one"]
    assert [row["entry"]["kind"] for row in trail] == ["autonomy", "started", "call", "autonomy", "call"]


async def test_a_clawseed_client_without_marks_works_out_of_the_box(tmp_path: Path) -> None:
    steps = [ScriptedStep(calls=(ToolUse("c1", "set_alarm", {}),)), ScriptedStep(text="Set.")]
    async with entered(tmp_path, model=steps) as gateway, wire(gateway.running, token=gateway.token) as client:
        await client.register("set_alarm")
        await client.say("message", content="wake me")
        await client.answer(await until(client, "tool_call_request"))
        assert (await until(client, "done"))["full_response"] == "Set."


async def test_the_command_line_decides_shows_follows_and_verifies(tmp_path: Path) -> None:
    tool = {"name": "notes__add", "description": "Adds.", "parameters": {}, "effect": "writes"}
    async with served(tmp_path, CETP_SERVER_REQUIRE_PAIRING="false") as gateway:
        at = SimpleNamespace(port=int(gateway.url.rpartition(":")[2]))
        async with wire(at, "?session_id=s") as phone:  # type: ignore[arg-type]
            await phone.introduce(CAPABILITY)
            await phone.register(tool)
            calling = asyncio.create_task(gateway.cetp("call", "notes__add", '{"text": "milk"}'))
            request = await until(phone, "approval_request")

            listed = await gateway.cetp("approvals")
            assert request["id"] in listed.out
            assert '"milk"' in listed.out
            allowed = await gateway.cetp("approvals", "allow", request["id"][:6])
            assert allowed.code == 0, allowed.err
            await phone.answer(await until(phone, "tool_call_request"), "added")
            assert (await calling).out == "added\n"

        shown = await gateway.cetp("audit", "--tool", "notes__add")
        assert [line.split("  ")[2] for line in shown.out.splitlines()] == ["approval", "started", "call"]
        export = await gateway.cetp("audit", "export")
        file = tmp_path / "trail.jsonl"
        file.write_text(export.out)
        whole = await gateway.cetp("audit", "verify", str(file))
        assert whole.code == 0, whole.err
        seal = whole.out.split()[-1]
        assert (await gateway.cetp("audit", "verify", "--seal", seal)).code == 0
        file.write_text(export.out.replace("writes", "reads", 1))
        changed = await gateway.cetp("audit", "verify", str(file))
        assert changed.code == 1
        assert "not what was sealed" in changed.err
        assert json.loads(export.out.splitlines()[0])["kind"] == "approval"
