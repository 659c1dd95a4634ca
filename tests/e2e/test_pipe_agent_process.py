"""`cetp pipe agent` as a host meets it: a process with a pipe, a task and an end."""

import asyncio
import logging
import re
import stat
import textwrap
from pathlib import Path

import msgspec
import pytest

from cetp_gateway.pipe import HostOptions, SessionState
from support.pipe_agent import LIMIT_S, LOOK, SHOP, PaperBrowser, agent_process, ran, step
from support.served import CETP, Ended, cetp, environment

READ = (*LOOK, step(find={"what": "for the (\\w+)"}, text="It is for the {what}."))
CLICK = step(("click", {"selector": "#buy"}))
SEED = "ab" * 32
INIT = msgspec.json.encode({"type": "init", "version": "1.0", "hmac_seed": SEED}).decode() + "\n"


@pytest.mark.requirement("pipe.1.runtime-side")
async def test_a_task_is_done_over_the_pipe_and_reported(tmp_path: Path) -> None:
    paper = PaperBrowser()
    end, agent = await ran(tmp_path, paper, [*READ])
    assert (end.state, end.exit_status, end.commands) == (SessionState.ENDED, 0, 2)
    (task,) = agent.tasks()
    assert (task["task"], task["status"], task["answer"]) == ("Do it", "done", "It is for the house.")
    assert task["steps"] == 3
    assert [(call["seq"], call["action"], call["domain"], call["outcome"]) for call in task["calls"]] == [
        ([1], "navigate", "shop.example", "done"),
        ([2], "getText", "shop.example", "done"),
    ]
    assert stat.S_IMODE((tmp_path / "result.json").stat().st_mode) == 0o600
    assert [frame["name"] for frame in agent.frames("tool_call")] == ["browser_navigate", "browser_get_text"]


@pytest.mark.requirement("pipe.0.surface")
async def test_only_what_needs_the_browser_crosses_the_pipe(tmp_path: Path) -> None:
    paper = PaperBrowser()
    clock = {"text": "", "calls": [{"name": "current_time", "arguments": {"zone": "UTC"}}]}
    end, agent = await ran(tmp_path, paper, [clock, *READ])
    assert agent.tasks()[0]["status"] == "done"
    assert '"zone":"UTC"' in agent.outputs()[0]
    assert paper.done == ["navigate", "getText"]
    assert end.commands == 2


async def test_nothing_but_the_protocol_comes_out_whatever_a_library_prints(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _install_noisy_hook(tmp_path / "packages")
    path = f"{tmp_path / 'packages'}:{environment(tmp_path).get('PYTHONPATH', '')}"
    caplog.set_level(logging.INFO)
    end, agent = await ran(tmp_path, PaperBrowser(), [*READ], PYTHONPATH=path, CETP_AGENT_HOOKS="log,noisy")
    assert (end.state, end.commands) == (SessionState.ENDED, 2)
    assert agent.tasks()[0]["status"] == "done"
    for words in ("imported", "past Python", "a child", "made", "called", "at the end"):
        assert f"noise: {words}" in caplog.text


async def test_a_supervised_agent_that_can_ask_nobody_does_not_act_and_says_why(tmp_path: Path) -> None:
    paper = PaperBrowser()
    _, agent = await ran(tmp_path, paper, [*LOOK, CLICK, step(text="I may not.")])
    assert paper.done == ["navigate", "getText"]
    assert "--autonomy full" in agent.outputs()[2]
    assert "--listen" in agent.outputs()[2]


async def test_with_read_only_the_host_is_told_that_nothing_will_act(tmp_path: Path) -> None:
    paper = PaperBrowser()
    steps = [*LOOK, CLICK, step(text="I cannot.")]
    _, agent = await ran(tmp_path, paper, steps, "--autonomy", "read_only")
    assert paper.done == ["navigate", "getText"]
    assert "[UNKNOWN_TOOL]" in agent.outputs()[2]


async def test_full_autonomy_acts(tmp_path: Path) -> None:
    paper = PaperBrowser()
    await ran(tmp_path, paper, [*LOOK, CLICK, step(text="Done.")], "--autonomy", "full")
    assert paper.done == ["navigate", "getText", "click"]


async def test_a_call_that_waits_is_decided_from_another_terminal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    paper = PaperBrowser()
    steps = [*LOOK, CLICK, step(text="Done.")]
    async with agent_process(tmp_path, paper, steps, "--listen", "0") as agent:
        await _logged(caplog, "Decide with")
        found = re.search(r"cetp approvals --gateway (\S+)", caplog.text)
        assert found is not None
        shown = await cetp("approvals", folder=tmp_path, CETP_GATEWAY=found[1])
        assert '"expected_domain": "shop.example"' in shown.out
        call = shown.out.split()[0]
        assert (await cetp("approvals", "allow", call, folder=tmp_path, CETP_GATEWAY=found[1])).code == 0
        await _logged(caplog, "Answer: Done.")
        assert paper.done == ["navigate", "getText", "click"]
        agent.link.close()
        assert (await agent.ended()).state is SessionState.ENDED


async def test_a_chat_with_a_listening_agent_uses_the_browser(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    paper = PaperBrowser()
    async with agent_process(tmp_path, paper, [*READ], "--listen", "0", task="") as agent:
        await _logged(caplog, "cetp chat --gateway")
        found = re.search(r"cetp chat --gateway (\S+)", caplog.text)
        assert found is not None
        said = await cetp("chat", "What is there?", folder=tmp_path, CETP_GATEWAY=found[1])
        assert "It is for the house." in said.out
        agent.link.close()
        assert (await agent.ended()).state is SessionState.ENDED
    assert paper.done == ["navigate", "getText"]


async def test_a_failed_task_is_told_by_the_report_and_is_no_crash_that_would_begin_it_anew(tmp_path: Path) -> None:
    end, agent = await ran(tmp_path, PaperBrowser(), [*LOOK])
    assert (end.state, end.exit_status) == (SessionState.ENDED, 0)
    (task,) = agent.tasks()
    assert task["status"] == "failed"
    assert "The script has no step 3" in task["error"]
    assert len(task["calls"]) == 2


@pytest.mark.requirement("pipe.0.surface")
async def test_tasks_run_one_after_the_other_in_one_conversation(tmp_path: Path) -> None:
    paper = PaperBrowser()
    (tmp_path / "task.txt").write_text("And then?\n", "utf-8")
    steps = [*READ, step(("getText", {})), step(text="The same.")]
    _, agent = await ran(tmp_path, paper, steps, "--task-file", str(tmp_path / "task.txt"))
    assert [(task["task"], task["answer"]) for task in agent.tasks()] == [
        ("Do it", "It is for the house."),
        ("And then?", "The same."),
    ]
    assert [len(task["calls"]) for task in agent.tasks()] == [2, 1]


async def test_a_task_may_come_by_the_environment(tmp_path: Path) -> None:
    _, agent = await ran(tmp_path, PaperBrowser(), [*READ], task="", CETP_PIPE_TASK="Look around")
    assert agent.tasks()[0]["task"] == "Look around"


async def test_a_host_that_closes_the_pipe_ends_the_agent_in_the_middle_of_a_command(tmp_path: Path) -> None:
    paper = PaperBrowser()
    paper.hangs_on = "getText"
    async with agent_process(tmp_path, paper, [*READ]) as agent:
        async with asyncio.timeout(LIMIT_S):
            while "getText" not in paper.done:
                paper.began.clear()
                await paper.began.wait()
        agent.link.close()
        end = await agent.ended()
    assert (end.state, end.exit_status) == (SessionState.ENDED, 0)
    (task,) = agent.tasks()
    assert task["status"] == "host_gone"


async def test_a_host_that_vanishes_ends_the_agent(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_bytes(msgspec.json.encode([*READ]))
    words = ("pipe", "agent", "--task", "Do it", "--script", str(script), "--result", str(tmp_path / "result.json"))
    process = await asyncio.create_subprocess_exec(
        *CETP,
        *words,
        env=environment(tmp_path),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LIMIT_S):
            process.stdin.write(INIT.encode())
            acknowledged = msgspec.json.decode(await process.stdout.readline())
            command = msgspec.json.decode(await process.stdout.readline())
            process.stdin.close()
            _, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert acknowledged["type"] == "init_ack"
    assert (command["seq"], command["action"], command["params"]["url"]) == (1, "navigate", SHOP)
    assert process.returncode == 0, err
    assert b"The host has gone" in err
    assert b"Traceback" not in err


async def test_another_version_is_told_and_ends_the_agent(tmp_path: Path) -> None:
    ended = await _alone(tmp_path, INIT.replace('"1.0"', '"1.1"'))
    assert ended.code == 3
    assert "PIPE_VERSION_MISMATCH" in ended.err
    assert "'1.1'" in ended.err
    assert "'1.0'" in ended.err
    assert [msgspec.json.decode(line)["version"] for line in ended.out.splitlines()] == ["1.0"]


@pytest.mark.parametrize("first", ["", "hello\n", '{"type":"init"}\n', INIT[:40]])
async def test_without_a_handshake_the_agent_ends_with_a_status_of_its_own(tmp_path: Path, first: str) -> None:
    ended = await _alone(tmp_path, first)
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.count("PIPE_") >= 1
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("words", "code", "named"),
    [
        ((), 2, "--task, --task-file, CETP_PIPE_TASK or --listen"),
        (("--task", "x", "--script", "no/such.json"), 2, "--script"),
        (("--task", "x", "--autonomy", "wild"), 2, "--autonomy"),
    ],
)
async def test_mistakes_of_the_command_line_are_named(
    tmp_path: Path, words: tuple[str, ...], code: int, named: str
) -> None:
    ended = await cetp("pipe", "agent", *words, folder=tmp_path)
    assert (ended.code, ended.out) == (code, "")
    assert named in ended.err


async def test_a_wrong_setting_is_named_before_the_handshake(tmp_path: Path) -> None:
    ended = await cetp("pipe", "agent", "--task", "x", folder=tmp_path, given=INIT, CETP_PIPE_TEXT_CHARS="1")
    assert (ended.code, ended.out) == (1, "")
    assert "CETP_PIPE_TEXT_CHARS" in ended.err


async def test_a_host_with_a_list_of_domains_is_obeyed(tmp_path: Path) -> None:
    options = HostOptions(domains=["other.example"])
    _, agent = await ran(tmp_path, PaperBrowser(), [LOOK[0], step(text="I may not.")], options=options)
    assert agent.tasks()[0]["calls"][0]["outcome"] == "MAC_DOMAIN_NOT_ALLOWED"
    assert "only its owner can change that" in agent.outputs()[0]


async def _alone(folder: Path, given: str) -> Ended:
    return await cetp("pipe", "agent", "--task", "x", folder=folder, given=given)


async def _logged(caplog: pytest.LogCaptureFixture, words: str) -> None:
    """Wait until the agent has said this at its standard error."""
    arrived = asyncio.Event()

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                arrived.set()

    watch, logger = Watch(), logging.getLogger("cetp_gateway.pipe")
    logger.addHandler(watch)
    try:
        if words not in caplog.text:
            async with asyncio.timeout(LIMIT_S):
                await arrived.wait()
    finally:
        logger.removeHandler(watch)


def _install_noisy_hook(folder: Path) -> None:
    """A package whose hook prints in every way there is."""
    about = folder / "noisy-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: noisy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[cetp_gateway.hooks]\nnoisy = noisy:Factory\n")
    code = """
        import atexit, os, subprocess, sys, warnings

        print("noise: imported", flush=True)
        os.write(1, b"noise: past Python\\n")
        subprocess.run(["sh", "-c", "echo 'noise: a child'"])
        warnings.warn("noise: a warning")
        sys.__stdout__.write("noise: the first stream\\n")
        atexit.register(lambda: print("noise: at the end"))

        class Hook:
            name = "noisy"

            def before_call(self, call, context):
                print("noise: called", flush=True)
                return call

            def after_call(self, call, outcome, context):
                return None

        class Factory:
            name = "noisy"

            def create(self, settings):
                print("noise: made", flush=True)
                return Hook()
    """
    (folder / "noisy.py").write_text(textwrap.dedent(code))
