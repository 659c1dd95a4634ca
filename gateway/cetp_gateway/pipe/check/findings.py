"""What a check found, under the seven points of acceptance (pipe 11) and the vectors. Values only."""

from collections.abc import Sequence
from enum import IntEnum, StrEnum

import msgspec


class Point(IntEnum):
    """The points of pipe 11; 8 stands for the vectors (pipe 12)."""

    HANDSHAKES = 1
    VERSIONS = 2
    NUMBERS = 3
    SIZES = 4
    ACTIONS = 5
    STRUCTURE = 6
    LOGS = 7
    VECTORS = 8


TITLES = {
    Point.HANDSHAKES: "handshakes in a row",
    Point.VERSIONS: "another version fails, with a log",
    Point.NUMBERS: "repeated and disordered seq",
    Point.SIZES: "messages above 1 MB",
    Point.ACTIONS: "actions",
    Point.STRUCTURE: "failures have code and message",
    Point.LOGS: "logs can be followed by seq",
    Point.VECTORS: "vectors",
}


class Verdict(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It could not be tried; the detail says why, and what would allow it."""


class Finding(msgspec.Struct, frozen=True):
    """One check."""

    point: Point
    what: str
    verdict: Verdict
    detail: str = ""


class Unfit(Exception):
    """The program under test did not do as it must; the text says what was expected and what came."""


def acceptable(findings: Sequence[Finding]) -> bool:
    """Nothing failed."""
    return all(finding.verdict is not Verdict.FAILED for finding in findings)
