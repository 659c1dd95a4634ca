"""The tools that ship, asked for by a model over a real socket."""

import asyncio
from pathlib import Path

import pytest

from cetp_gateway.policy import ApprovalRequest
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.reloaded import from_file
from support.whole import WITHIN_S, Frame, call_step, chat, open_settings, rest, send, until, whole


async def results(running: Gateway) -> list[Frame]:
    """Ask a question; the results of the calls that the model makes."""
    async with chat(running) as socket:
        await send(socket, type="message", content="please")
        frames = await until(socket, "done")
    return [frame for frame in frames if frame["type"] == "tool_result"]


async def asked(running: Gateway) -> ApprovalRequest:
    """The first call that waits for a person."""
    changed = asyncio.Event()
    approvals = running.runtime.policy.approvals
    approvals.subscribe(lambda *_: changed.set())
    async with asyncio.timeout(WITHIN_S):
        while not approvals.open():
            await changed.wait()
            changed.clear()
    return approvals.open()[0]


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


@pytest.mark.requirement("runtime.security.commands")
async def test_a_command_that_is_not_on_the_owners_list_is_refused_before_anybody_is_asked(tmp_path: Path) -> None:
    model = ScriptedModel([
        call_step("run_command", command=["true"]),
        call_step("run_command", "c2", command=["cat", "/etc/hostname"]),
        call_step("run_command", "c3", command=["true", "--help"]),
        ScriptedStep(text="Done."),
    ])  # fmt: skip
    policy = {"autonomy": "full", "allowed_commands": ["true --version *"]}
    async with whole(tmp_path, model, settings=open_settings(builtin={}, policy=policy)) as running:
        outputs = [result["output"] for result in await results(running)]
        entries = await running.runtime.policy.trail.latest(10)
    assert all("[DENIED]" in output and "true --version *" in output for output in outputs), outputs
    assert {entry.entry.outcome for entry in entries} == {"denied"}


async def test_a_command_of_the_list_runs_when_a_person_allows_it(tmp_path: Path) -> None:
    model = ScriptedModel([call_step("run_command", command=["ls", "-a"]), ScriptedStep(text="Done.")])
    settings = open_settings(builtin={}, policy={"allowed_commands": ["ls"]})
    async with whole(tmp_path, model, settings=settings) as running, chat(running) as socket, rest(running) as client:
        await send(socket, type="message", content="what is there?")
        request = await asked(running)
        assert request.arguments == {"command": ["ls", "-a"]}
        answer = {"digest": request.digest, "decision": "allow"}
        assert (await client.post(f"/api/approvals/{request.id}", json=answer)).is_success
        (result,) = [frame for frame in await until(socket, "done") if frame["type"] == "tool_result"]
    assert result["output"].startswith("[exit code 0]\n.\n..")


async def test_the_list_of_commands_follows_the_settings(tmp_path: Path) -> None:
    def rules(*commands: str) -> str:
        return f"[policy]\nautonomy = 'full'\nallowed_commands = {list(commands)}\n"

    async with from_file(tmp_path, rules("ls")) as gateway:
        path, body = "/api/tools/run_command/call", {"arguments": {"command": ["true"]}}
        refused = (await gateway.http.post(path, json=body)).json()
        gateway.says(rules("true"))
        assert (await gateway.reload())["changed"] == ["policy.allowed_commands"]
        ran = (await gateway.http.post(path, json=body)).json()
        gateway.says(rules())
        await gateway.reload()
        gone = (await gateway.http.post(path, json=body)).json()
    assert (refused["outcome"], ran["outcome"], gone["outcome"]) == ("denied", "answered", "unknown_tool")
    assert ran["output"].startswith("[exit code 0]")
