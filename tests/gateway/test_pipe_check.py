"""The checker passes hosts and agents that do as they must, and fails each that does not, at the right point."""

import asyncio
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cetp_gateway.cli.group import cetp
from cetp_gateway.pipe.check import Finding, Point, Verdict, acceptable, check_agent, check_host
from support.pipe_programs import agent_program, host_program

ODD_HOST = [sys.executable, str(Path(__file__).parents[1] / "support" / "pipe_odd_host.py")]
ODD_AGENT = [sys.executable, str(Path(__file__).parents[1] / "support" / "pipe_careless_agent.py")]

pytestmark = pytest.mark.timeout(170)


def silent(_: Finding) -> None: ...


def failed(findings: list[Finding]) -> set[Point]:
    return {finding.point for finding in findings if finding.verdict is Verdict.FAILED}


async def findings_of_agent(command: list[str], *only: Point) -> list[Finding]:
    async with asyncio.timeout(160):
        return await check_agent(command, silent, handshakes=2, only=only)


async def findings_of_host(command: list[str], *only: Point) -> list[Finding]:
    async with asyncio.timeout(160):
        return await check_host(command, silent, handshakes=2, rounds=3, only=only)


async def test_an_agent_of_ours_passes() -> None:
    findings = await findings_of_agent(agent_program("getPage", "back", "getText"))
    assert acceptable(findings), findings
    assert {finding.verdict for finding in findings} == {Verdict.PASSED}
    assert {finding.point for finding in findings} == set(Point)


async def test_a_host_of_ours_passes() -> None:
    findings = await findings_of_host(host_program())
    assert acceptable(findings), findings
    assert {finding.point for finding in findings} == set(Point)


async def test_an_agent_without_a_task_is_told_what_it_needs() -> None:
    findings = await findings_of_agent(agent_program(), Point.NUMBERS)
    assert {finding.verdict for finding in findings} == {Verdict.SKIPPED}
    assert "give it a task" in findings[0].detail


@pytest.mark.parametrize(
    ("fault", "point"),
    [
        ("same_id", Point.HANDSHAKES),
        ("any_version", Point.VERSIONS),
        ("from_zero", Point.NUMBERS),
        ("skips", Point.NUMBERS),
        ("unsigned", Point.NUMBERS),
        ("takes_any_answer", Point.NUMBERS),
        ("dies_of_size", Point.SIZES),
        ("impatient", Point.ACTIONS),
        ("dies_of_text", Point.STRUCTURE),
        ("mute", Point.LOGS),
        ("any_first_line", Point.VECTORS),
    ],
)
async def test_an_agent_with_a_fault_fails_at_its_point(fault: str, point: Point) -> None:
    assert point in failed(await findings_of_agent([*ODD_AGENT, fault], point))


@pytest.mark.parametrize(
    ("fault", "point"),
    [
        ("any_version", Point.VERSIONS),
        ("any_number", Point.NUMBERS),
        ("no_limit", Point.SIZES),
        ("always_done", Point.ACTIONS),
        ("bare_text", Point.STRUCTURE),
        ("mute", Point.LOGS),
        ("unchecked", Point.VECTORS),
    ],
)
async def test_a_host_with_a_fault_fails_at_its_point(fault: str, point: Point) -> None:
    assert point in failed(await findings_of_host([*ODD_HOST, fault], point))


async def test_a_program_that_is_not_there_fails_every_check() -> None:
    findings = await findings_of_agent(["/nothing"], Point.HANDSHAKES)
    assert [finding.verdict for finding in findings] == [Verdict.FAILED] * 2


def test_the_command_prints_a_table_and_its_status_says_whether_all_is_well() -> None:
    agent = " ".join(agent_program("getPage"))
    good = CliRunner().invoke(cetp, ["pipe", "check", "--agent", agent, "--only", "8"])
    assert (good.exit_code, "passed" in good.stdout) == (0, True)
    bad = CliRunner().invoke(cetp, ["pipe", "check", "--agent", f"{sys.executable} -c pass", "--only", "8"])
    assert (bad.exit_code, "failed" in bad.stdout) == (1, True)


@pytest.mark.parametrize("arguments", [[], ["--agent", "a", "--host", "b"], ["--agent", "'"], ["--agent", ""]])
def test_the_command_wants_one_program(arguments: list[str]) -> None:
    assert CliRunner().invoke(cetp, ["pipe", "check", *arguments]).exit_code == 2
