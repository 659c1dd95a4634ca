"""A host and real child processes: handshakes, faults of the agent, faults of the browser, and nothing left behind."""

import asyncio
import logging
import re
import signal
from pathlib import Path

import pytest

from cetp_gateway.pipe import Circuits, Command, Done, Ended, Failed, HostLink, HostOptions, SessionState
from support.pipe_fifo import fifo_reader
from support.pipe_programs import PAGE, Browser, agent_program, host_program, odd_agent, serve


class Running(asyncio.Event):
    """Set when a link says that its session runs."""

    def __call__(self, state: SessionState) -> None:
        if state is SessionState.RUNNING:
            self.set()


QUICK = HostOptions(close_s=0.2)


@pytest.fixture(autouse=True)
def everything_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "cetp_gateway.pipe")


def heard(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the odd agent was answered, the seed left out."""
    found = [record.getMessage().partition(": heard ")[2] for record in caplog.records]
    return [line for line in found if line and '"init"' not in line]


def codes(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [found for line in heard(caplog) for found in re.findall(r'"code":"(\w+)"', line) or ["done"]]


@pytest.mark.timeout(180)
@pytest.mark.requirement("pipe.7.hundred-handshakes", "pipe.3.child", "pipe.3.init", "pipe.3.init-ack")
async def test_a_hundred_handshakes_in_a_row_succeed() -> None:
    agents = set()
    for _ in range(100):
        end = await serve(agent_program())
        assert (end.state, end.exit_status) == (SessionState.ENDED, 0)
        agents.add(end.agent_id)
    assert len(agents) == 100


@pytest.mark.requirement("pipe.7.version-log", "pipe.3.version-mismatch", "pipe.1.version-frozen")
async def test_another_version_fails_steadily_with_a_log_that_names_both(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(5):
        caplog.clear()
        end = await serve(odd_agent("other_version"))
        assert (end.state, end.code) == (SessionState.FAILED, "PIPE_VERSION_MISMATCH")
        assert "'1.1'" in end.message
        assert "'1.0'" in end.message
        assert f"session failed: PIPE_VERSION_MISMATCH {end.message}" in caplog.messages


@pytest.mark.requirement("pipe.3.timeout")
async def test_an_agent_that_says_nothing_is_killed_and_crashed() -> None:
    end = await serve(odd_agent("silent"), options=HostOptions(handshake_s=0.3))
    assert (end.state, end.code, end.exit_status) == (SessionState.CRASHED, "PIPE_HANDSHAKE_TIMEOUT", -signal.SIGKILL)


def test_the_time_for_the_handshake_is_that_of_the_standard() -> None:
    assert HostOptions().handshake_s == 5


async def test_a_program_that_is_not_there_fails(tmp_path: Path) -> None:
    end = await serve([str(tmp_path / "nothing")])
    assert (end.state, end.exit_status) == (SessionState.FAILED, None)
    script = tmp_path / "script"
    script.write_text("no program")
    script.chmod(0o755)
    end = await serve([str(script)])
    assert end.state is SessionState.FAILED
    assert "cannot be started" in end.message


@pytest.mark.parametrize(("case", "status"), [("crashes", 3), ("crashes_first", 4), ("crashes_in_command", -9)])
async def test_an_agent_that_dies_has_crashed(case: str, status: int) -> None:
    end = await serve(odd_agent(case))
    assert (end.state, end.exit_status) == (SessionState.CRASHED, status)


async def test_a_log_line_in_place_of_the_acknowledgement_fails_and_says_where_logs_belong() -> None:
    end = await serve(odd_agent("prints_first"))
    assert (end.state, end.code) == (SessionState.FAILED, "PIPE_INVALID_JSON")
    assert "standard error" in end.message


@pytest.mark.requirement("pipe.2.invalid-json", "pipe.2.json-lines")
async def test_garbage_is_answered_line_by_line_and_the_next_command_works(caplog: pytest.LogCaptureFixture) -> None:
    browser = Browser()
    end = await serve(odd_agent("garbage"), browser)
    assert end.state is SessionState.ENDED
    assert codes(caplog) == ["PIPE_INVALID_JSON"] * 5 + ["done"]
    assert [command.seq for command in browser.commands] == [1]


async def test_half_a_line_at_the_end_is_dropped_with_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    browser = Browser()
    end = await serve(odd_agent("half_a_line"), browser)
    assert (end.state, browser.commands) == (SessionState.ENDED, [])
    assert any("half a line" in message for message in caplog.messages)


async def test_a_command_in_pieces_of_one_byte_arrives_whole() -> None:
    browser = Browser()
    await serve(odd_agent("in_pieces"), browser)
    assert [command.params["text"] for command in browser.commands] == ["读取 🎉"]


@pytest.mark.requirement("pipe.2.one-response")
async def test_commands_that_come_at_once_are_answered_in_order(caplog: pytest.LogCaptureFixture) -> None:
    await serve(odd_agent("many_at_once"))
    answered = [int(re.findall(r'"seq":(\d+)', line)[0]) for line in heard(caplog)]
    assert answered == list(range(1, 51))


@pytest.mark.requirement("pipe.2.size", "pipe.7.large")
async def test_messages_above_the_limit_are_refused_and_the_pipe_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    end = await serve(odd_agent("large"))
    assert end.state is SessionState.ENDED
    assert codes(caplog) == ["done", "PIPE_MESSAGE_TOO_LARGE", "done", "PIPE_MESSAGE_TOO_LARGE", "done"]


async def test_an_agent_that_reads_nothing_has_crashed() -> None:
    async def answer(_: Command) -> Ended:
        return Done({"text": "x" * 100_000, "truncated": False})

    end = await serve(odd_agent("reads_nothing"), Browser(answer), HostOptions(write_s=0.3))
    assert (end.state, end.exit_status) == (SessionState.CRASHED, -signal.SIGKILL)


async def test_an_agent_that_closes_its_output_and_stays_is_killed() -> None:
    end = await serve(odd_agent("closes_output"), options=QUICK)
    assert (end.state, end.exit_status) == (SessionState.CRASHED, -signal.SIGKILL)


async def test_closing_ends_an_agent_that_listens() -> None:
    running = Running()
    link = HostLink(odd_agent("waits"), Browser(), on_state=running)
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        session = tasks.create_task(link.run())
        await running.wait()
        link.close()
    assert (session.result().state, session.result().exit_status) == (SessionState.ENDED, 0)


async def test_closing_kills_an_agent_that_does_not_listen() -> None:
    running = Running()
    link = HostLink(odd_agent("deaf"), Browser(), options=QUICK, on_state=running)
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        session = tasks.create_task(link.run())
        await running.wait()
        link.close()
    assert (session.result().state, session.result().exit_status) == (SessionState.CRASHED, -signal.SIGKILL)


async def test_closing_stops_the_command_that_is_being_carried_out() -> None:
    begun = asyncio.Event()

    async def hang(_: Command) -> Ended:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    link = HostLink(odd_agent("one_command"), Browser(hang))
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        session = tasks.create_task(link.run())
        await begun.wait()
        link.close()
    assert session.result().state is SessionState.ENDED


async def test_cancelling_leaves_no_process() -> None:
    with fifo_reader() as (path, ended):
        running = Running()
        session = asyncio.create_task(HostLink(odd_agent("deaf", path), Browser(), on_state=running).run())
        async with asyncio.timeout(30):
            await running.wait()
            session.cancel()
            await asyncio.gather(session, return_exceptions=True)
            await ended()
    assert session.cancelled()


async def test_what_an_agent_started_itself_ends_with_it() -> None:
    with fifo_reader() as (path, ended):
        end = await serve(odd_agent("leaves_a_child", path))
        assert end.state is SessionState.ENDED
        async with asyncio.timeout(30):
            await ended()


@pytest.mark.parametrize("case", ["waits", "deaf", "silent"])
async def test_a_host_that_is_killed_leaves_no_agent(case: str) -> None:
    with fifo_reader() as (path, ended):
        host = await asyncio.create_subprocess_exec(
            *host_program(*odd_agent(case, path)), stderr=asyncio.subprocess.PIPE
        )
        assert host.stderr is not None
        async with asyncio.timeout(30):
            while (await host.stderr.readline()).find(b"heard") < 0:
                pass
            host.kill()
            await host.wait()
            await ended()


async def test_a_browser_that_fails_is_an_internal_error_and_the_next_command_works(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(command: Command) -> Ended:
        if command.action == "click":
            raise RuntimeError("secret of a library")
        return Done(PAGE)

    await serve(odd_agent("one_command"), Browser(fail))
    assert codes(caplog) == ["INTERNAL_UNKNOWN", "done"]
    assert not any("secret of a library" in line for line in heard(caplog))


async def test_a_browser_that_hangs_is_stopped(caplog: pytest.LogCaptureFixture) -> None:
    async def hang(command: Command) -> Ended:
        if command.action == "click":
            await asyncio.Event().wait()
        return Done(PAGE)

    await serve(odd_agent("one_command"), Browser(hang))
    assert codes(caplog) == ["INTERNAL_UNKNOWN", "done"]


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({"text": "x" * 1_048_576, "truncated": False}, "CMD_RESULT_TOO_LARGE"),
        ({"text": object()}, "INTERNAL_UNKNOWN"),
        ({"text": "half \ud83d", "truncated": False}, "done"),
    ],
)
async def test_results_that_do_not_fit_a_line_are_still_answered(
    result: dict[str, object], code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def answer(_: Command) -> Ended:
        return Done(result)

    await serve(odd_agent("one_command"), Browser(answer))
    assert codes(caplog) == [code, code]


@pytest.mark.requirement("pipe.7.structured", "pipe.4.error")
async def test_a_failure_of_the_page_reaches_the_agent_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(_: Command) -> Ended:
        return Failed("MAC_DOMAIN_MISMATCH", "left", {"executed": True, "left_for": "evil.example"})

    await serve(odd_agent("one_command"), Browser(fail))
    assert heard(caplog)[0].strip() == (
        '{"seq":1,"type":"response","success":false,"error":{"code":"MAC_DOMAIN_MISMATCH","message":"left",'
        '"details":{"executed":true,"left_for":"evil.example"}}}'
    )


@pytest.mark.requirement("pipe.7.log")
async def test_one_number_finds_request_execution_and_response_of_both_sides(
    caplog: pytest.LogCaptureFixture,
) -> None:
    await serve(agent_program("getPage", "getText"))
    for seq in (1, 2):
        lines = [message for message in caplog.messages if f"seq={seq} " in message]
        own = [line for line in lines if not line.startswith("agent ")]
        assert [line.split()[1].rstrip(":") for line in own] == ["request", "execution", "response"]
        of_agent = [line for line in lines if line.startswith("agent ")]
        assert [re.findall(r"seq=\d+ (\w+)", line)[0] for line in of_agent] == ["request", "response"]


@pytest.mark.requirement("pipe.6.breaker")
async def test_an_open_circuit_is_told_once_and_outlasts_the_session() -> None:
    async def fail(_: Command) -> Ended:
        return Failed("INTERNAL_UNKNOWN", "no")

    told: list[str] = []
    circuits, browser = Circuits(), Browser(fail)
    for _ in range(2):
        link = HostLink(
            agent_program("getText"), browser, circuits=circuits, on_circuit=lambda notice: told.append(str(notice))
        )
        async with asyncio.timeout(30):
            await link.run()
    assert told == ["getText failed 2 times in a row, last with INTERNAL_UNKNOWN; rests 30 s"]
    assert len(browser.commands) == 2
