"""More tools than fit, over a real socket: what the model is sent, and how it gets at the others."""

from pathlib import Path

from cetp_gateway.agent import SEARCH_TOOLS
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.tool_search_set import tools_of_twenty_apps
from support.whole import call_step, chat, open_settings, rest, send, until, whole

TOOLS = [
    {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    for tool in tools_of_twenty_apps()
]


async def test_a_model_finds_a_tool_that_it_was_not_sent_and_then_has_it(tmp_path: Path) -> None:
    model = ScriptedModel([call_step(SEARCH_TOOLS, query="pollen, hay fever"), ScriptedStep(text="Few grasses.")])
    async with whole(tmp_path, model, settings=open_settings(builtin={})) as running, chat(running) as socket:
        await send(socket, type="register_tools", tools=TOOLS)
        await until(socket, "tools_registered")
        await send(socket, type="message", content="hello there")
        frames = await until(socket, "done")

    [result] = [frame for frame in frames if frame["type"] == "tool_result"]
    found = {tool["name"] for tool in TOOLS if f'{tool["name"]}"' in result["output"]}
    assert "weather__pollen" in found
    before, after = ({tool.name for tool in request.tools} for request in model.requests)
    assert len(before) < 100
    assert found - before
    assert found <= after
    assert "weather 20" in model.requests[0].system


async def test_the_search_is_a_tool_like_others_for_rest_and_can_be_switched_off(tmp_path: Path) -> None:
    async with whole(tmp_path, settings=open_settings(builtin={})) as running, rest(running) as client:
        names = [row["name"] for row in (await client.get("/api/tools")).json()["tools"]]
        answer = await client.post(f"/api/tools/{SEARCH_TOOLS}/call", json={"arguments": {"query": "time zone"}})
    assert SEARCH_TOOLS in names
    assert "current_time" in answer.text

    off = open_settings(builtin={"disabled": [SEARCH_TOOLS]})
    async with whole(tmp_path, settings=off) as running, rest(running) as client:
        names = [row["name"] for row in (await client.get("/api/tools")).json()["tools"]]
    assert SEARCH_TOOLS not in names
    assert "current_time" in names
