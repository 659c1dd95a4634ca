"""Drives somebody's host or agent through the acceptance points and the vectors of the pipe (pipe 11, 12).

Above: `cetp pipe check`. Below: the pipe's cores and `cetp_spec.pipe`; no browser.
"""

from collections.abc import Collection, Sequence

from cetp_gateway.pipe.check.agent_checks import AgentChecks
from cetp_gateway.pipe.check.checks import Report, run_checks
from cetp_gateway.pipe.check.findings import TITLES, Finding, Point, Verdict, acceptable
from cetp_gateway.pipe.check.host_checks import HostChecks

__all__ = ["TITLES", "Finding", "Point", "Report", "Verdict", "acceptable", "check_agent", "check_host"]


async def check_agent(
    command: Sequence[str], report: Report, *, handshakes: int = 100, only: Collection[Point] = ()
) -> list[Finding]:
    """All checks of an agent; each finding is reported as soon as it is there."""
    return await run_checks(AgentChecks(command, handshakes=handshakes).all(), only, report)


async def check_host(
    command: Sequence[str], report: Report, *, handshakes: int = 100, rounds: int = 25, only: Collection[Point] = ()
) -> list[Finding]:
    """All checks of a host. The agent's command goes to the end of its own, or where `{agent}` stands."""
    return await run_checks(HostChecks(command, handshakes=handshakes, rounds=rounds).all(), only, report)
