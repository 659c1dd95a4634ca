"""The tools that ship, asked for by a model over a real socket."""

from pathlib import Path

import pytest

from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.whole import Frame, call_step, chat, open_settings, rest, send, until, whole


async def results(running: Gateway) -> list[Frame]:
    """Ask a question; the results of the calls that the model makes."""
    async with chat(running) as socket:
        await send(socket, type="message", content="please")
        frames = await until(socket, "done")
    return [frame for frame in frames if frame["type"] == "tool_result"]


@pytest.mark.requirement("runtime.context.workspace")
async def test_file_tools_work_in_the_workspace_that_their_call_names(tmp_path: Path) -> None:
    model = ScriptedModel([
        call_step("write_file", path="plan.md", content="buy milk\n"),
        call_step("read_file", "c2", path="plan.md"),
        ScriptedStep(text="Noted."),
    ])  # fmt: skip
    settings = open_settings(builtin={}, policy={"autonomy": "full"})
    async with whole(tmp_path, model, settings=settings) as running:
        assert [result["output"] for result in await results(running)] == [
            "9 bytes written to plan.md.",
            "[plan.md: 1 line]\nbuy milk\n",
        ]
        async with rest(running) as client:
            answer = await client.post("/api/tools/read_file/call", json={"arguments": {"path": "plan.md"}})
    assert answer.json()["output"] == "[plan.md: 1 line]\nbuy milk\n"
    assert (tmp_path / "workspace" / "plan.md").read_text() == "buy milk\n"
    assert (tmp_path / "workspace").stat().st_mode & 0o777 == 0o700


@pytest.mark.requirement("runtime.security.paths")
async def test_a_model_reaches_no_sensitive_place(tmp_path: Path) -> None:
    paths = ["/etc/passwd", "/root/.ssh/id_rsa", "../cetp.db", "../cetp.toml"]
    steps = [call_step("read_file", f"c{number}", path=path) for number, path in enumerate(paths)]
    write = call_step("write_file", "w", path="../cetp.toml", content="", mode="overwrite")
    model = ScriptedModel([*steps, write, ScriptedStep(text="No.")])
    settings = open_settings(builtin={"allowed_folders": ["/"]}, policy={"autonomy": "full"})
    async with whole(tmp_path, model, settings=settings) as running:
        outputs = [result["output"] for result in await results(running)]
    assert len(outputs) == 5
    assert all(output.startswith("Error: [PERMISSION_DENIED]") for output in outputs), outputs
