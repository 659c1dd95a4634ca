"""A list of checks becomes a list of findings. Above: `check_agent`, `check_host`. Knows nothing of what is checked."""

from collections.abc import Awaitable, Callable, Collection, Iterable

import msgspec

from cetp_gateway.pipe.check.findings import Finding, Point, Unfit, Verdict

Report = Callable[[Finding], None]


class Check(msgspec.Struct, frozen=True):
    """One check: gives a remark when the program passes, raises Unfit or CannotTry otherwise."""

    point: Point
    what: str
    run: Callable[[], Awaitable[str]]


class CannotTry(Exception):
    """The program gave no occasion; the text says what would."""


async def run_checks(checks: Iterable[Check], only: Collection[Point], report: Report) -> list[Finding]:
    """Run those of the points in `only`, or all, one after the other; each finding is told as soon as it is there."""
    findings = []
    for check in checks:
        if only and check.point not in only:
            continue
        finding = await _found(check)
        report(finding)
        findings.append(finding)
    return findings


async def _found(check: Check) -> Finding:
    try:
        return Finding(check.point, check.what, Verdict.PASSED, await check.run())
    except CannotTry as why:
        return Finding(check.point, check.what, Verdict.SKIPPED, str(why))
    except Unfit as why:
        return Finding(check.point, check.what, Verdict.FAILED, str(why))
