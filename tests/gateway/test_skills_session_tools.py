"""Tools of single sessions: rules that narrow, seen in what the model is offered and held by the policy."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cetp_gateway.api import Answered, Denied, Effect, Origin, ToolRules
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from cetp_gateway.tools import Narrowing, narrowed
from support.entered import entered
from support.policed import EffectTool, policed
from support.raw_phones import raw_phone
from support.tool_hosts import Phone, a_registry, names, tools
from support.whole import call_step, chat, rest, send, until, whole


def offered(**rules: Any) -> tuple[list[str], Narrowing]:
    """The names that these rules leave of those of two phones, which share one tool."""
    registry = a_registry(denied=["web__*"])
    registry.offer(Phone("p", "pixel"), tools("notes__list", "notes__delete", "web__get"), replace=True)
    registry.offer(Phone("g", "galaxy"), tools("notes__delete", "mail__send"), replace=True)
    narrowing = Narrowing(ToolRules(**rules))
    return names(narrowed(registry.view(), narrowing)), narrowing


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ({}, ["mail__send", "notes__delete__galaxy", "notes__delete__pixel", "notes__list"]),
        ({"allowed": ("notes__list",)}, ["notes__list"]),
        ({"allowed": ("notes__*",)}, ["notes__delete__galaxy", "notes__delete__pixel", "notes__list"]),
        ({"denied": ("notes__delete",)}, ["mail__send", "notes__list"]),
        ({"denied": ("notes__delete__pixel",)}, ["mail__send", "notes__delete__galaxy", "notes__list"]),
        ({"allowed": ("**",), "denied": ("*",)}, []),
        ({"allowed": ("web__*",)}, []),
        ({"allowed": ()}, []),
    ],
)
def test_rules_narrow_whatever_a_tool_is_called_now_and_what_denies_wins(
    rules: dict[str, Any], left: list[str]
) -> None:
    assert offered(**rules)[0] == left


def test_a_tool_that_is_left_out_is_not_found_and_not_named() -> None:
    registry = a_registry()
    registry.offer(Phone("p"), tools("notes__list", "notes__lost"), replace=True)
    view = narrowed(registry.view(), Narrowing(ToolRules(denied=("notes__lost",))))
    assert view.find("notes__lost") is None
    assert view.find("notes__list") is not None
    assert view.nearest("notes__los") == ("notes__list",)
    assert view.revision == registry.revision


async def test_the_policy_holds_a_sessions_rules_also_while_its_turn_runs(tmp_path: Path) -> None:
    lamp = EffectTool("lamp", Effect.READS)
    async with policed(tmp_path) as policy:
        await policy.database.write(
            lambda connection: connection.execute("INSERT INTO sessions VALUES ('s', '', '', '', '')")
        )
        assert isinstance(await policy.call(lamp), Answered)
        await policy.parts.tools.set("s", ToolRules(denied=("lamp",)))
        refused = await policy.call(lamp)
        assert isinstance(refused, Denied)
        assert "denied" in refused.reason
        assert isinstance(await policy.call(lamp, session="other"), Answered)
        with policy.parts.tools.turn("other", ToolRules(allowed=("notes__*",))):
            assert isinstance(await policy.call(lamp, session="other"), Denied)
        assert isinstance(await policy.call(lamp, session="other"), Answered)


async def test_a_second_phone_does_not_take_a_tool_out_of_a_rule_that_wants_a_person(tmp_path: Path) -> None:
    """With two phones a tool's name gets longer; the rule was made for the short one."""
    tool = EffectTool("notes__list__pixel", Effect.READS, Origin("pixel"))
    tool.spec = msgspec.structs.replace(tool.spec, base="notes__list")
    async with policed(tmp_path, always_ask=["notes__list"], approval_timeout_s=0.01) as policy:
        assert isinstance(await policy.call(tool), Denied)


async def test_a_sessions_rules_last_and_hold_for_its_turns(tmp_path: Path) -> None:
    steps = [call_step("lamp"), ScriptedStep(text="no lamp"), ScriptedStep(text="other")]
    model = ScriptedModel(steps)
    async with whole(tmp_path) as running, chat(running), rest(running) as http:
        path = "/api/sessions/s/tools"
        assert (await http.get(path)).json() == {"allowed": ["*"], "denied": []}
        assert (await http.put(path, json={"denied": ["lamp"]})).json() == {"allowed": ["*"], "denied": ["lamp"]}
        assert (await http.put("/api/sessions/none/tools", json={})).status_code == 404
        trail = (await http.get("/api/audit")).json()
    assert "denied: lamp" in str(trail)
    async with whole(tmp_path, model) as running, rest(running) as http, raw_phone(running.port, "lamp"):
        assert (await http.get(path)).json()["denied"] == ["lamp"]
        for session in ("s", "t"):
            async with chat(running, session) as socket:
                await send(socket, type="message", content="is the lamp on?")
                await until(socket, "done")
        await http.delete("/api/sessions/s")
        async with chat(running, "s"):
            assert (await http.get(path)).json()["denied"] == []
    assert "lamp" not in {tool.name for tool in model.requests[0].tools}
    assert "no tool" in str(model.requests[1].messages[-1])
    assert "lamp" in {tool.name for tool in model.requests[2].tools}


async def test_only_those_who_decide_may_widen_a_session_again(tmp_path: Path) -> None:
    async with entered(tmp_path, policy={"approvers": ["somebody"]}) as gateway:
        await gateway.runtime.sessions.open("s")
        refused = await gateway.http.put("/api/sessions/s/tools", json={})
    assert (refused.status_code, "policy.approvers" in refused.text) == (403, True)
