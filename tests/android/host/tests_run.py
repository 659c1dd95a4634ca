"""What the tests of a module said, from Surefire's reports."""

from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True)
class Count:
    """How many tests ran, and how many were passed over."""

    ran: int = 0
    skipped: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(self.ran + other.ran, self.skipped + other.skipped)


def count(reports: Path) -> Count:
    """The tests in a folder of reports."""
    total = Count()
    for report in reports.glob("TEST-*.xml"):
        suite = ElementTree.parse(report).getroot()
        skipped = int(suite.get("skipped", "0"))
        total += Count(int(suite.get("tests", "0")) - skipped, skipped)
    return total
