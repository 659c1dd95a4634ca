"""The outcome of a run, and its two renderings: lines for people, JSON for machines."""

from collections.abc import Callable

import msgspec

from cetp_spec.validator.problem import Problem, Severity
from cetp_spec.validator.rules import RULES
from cetp_spec.validator.text import encodable, printable

Style = Callable[[str, str], str]
"""Colours a text by its role: error, warning, good, dim."""
_WIDEST_PLACE = 72


def _plain(text: str, _role: str) -> str:
    return text


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """One file that was looked at."""

    file: str
    kind: str
    summary: str
    """What it is, in a few words; empty when it could not be read."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All problems in the order of the inputs, and what was looked at."""

    problems: tuple[Problem, ...]
    checked: tuple[Checked, ...]

    def count(self, severity: Severity) -> int:
        return sum(1 for found in self.problems if found.severity is severity)

    def exit_code(self, *, strict: bool = False) -> int:
        """0 no error, 1 errors (`strict`: or warnings), 2 something could not be read."""
        if any(RULES[found.rule].unreadable for found in self.problems):
            return 2
        return int(bool(self.count(Severity.ERROR) or (strict and self.problems)))


def render_text(report: Report, style: Style = _plain) -> str:
    """One line per problem, one per file that is fine, and a closing line."""
    lines = _problem_lines(report, style)
    faulty = {name for found in report.problems for name in (found.place.file, found.place.file.partition("!")[0])}
    fine = [item for item in report.checked if item.file not in faulty]
    width = max((len(printable(item.file)) for item in fine), default=0)
    for item in fine:
        lines.append(f"{printable(item.file):<{width}}  {style('fine', 'good')}  {item.summary}")
    return "\n".join([*lines, _closing(report, style)]) + "\n"


def render_json(report: Report, *, strict: bool = False) -> str:
    """An object with `problems`, `checked`, the two counts and the exit code."""
    document = {
        "problems": [_flat(found) for found in report.problems],
        "checked": report.checked,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "exit_code": report.exit_code(strict=strict),
    }
    return msgspec.json.format(msgspec.json.encode(document)).decode() + "\n"


def render_rules(style: Style = _plain) -> str:
    """The table of rules, one per line."""
    width = max(map(len, RULES))
    rows = (
        f"{rule.id:<{width}}  {style(f'{rule.severity:<7}', rule.severity)}  spec {rule.section:<4} {rule.advice}"
        for rule in RULES.values()
    )
    return "\n".join(rows) + "\n"


def _problem_lines(report: Report, style: Style) -> list[str]:
    place_width = min(_WIDEST_PLACE, max((len(str(found.place)) for found in report.problems), default=0))
    rule_width = max((len(found.rule) for found in report.problems), default=0)
    return [
        f"{found.place!s:<{place_width}}  {style(f'{found.severity:<7}', found.severity)}  {found.rule:<{rule_width}}"
        f"  {found.message}. {style(f'Spec {found.section}. {found.advice}', 'dim')}"
        for found in report.problems
    ]


def _closing(report: Report, style: Style) -> str:
    files = _counted(len(report.checked), "file")
    errors, warnings = report.count(Severity.ERROR), report.count(Severity.WARNING)
    if not report.problems:
        return style(f"No problems in {files}", "good")
    parts = [_counted(errors, "error")] if errors else []
    parts += [_counted(warnings, "warning")] if warnings else []
    return style(f"{', '.join(parts)} in {files}", "error" if errors else "warning")


def _flat(found: Problem) -> dict[str, object]:
    return {
        "file": encodable(found.place.file),
        "line": found.place.line or None,
        "pointer": None if found.place.pointer is None else encodable(found.place.pointer),
        "rule": found.rule,
        "severity": found.severity,
        "message": found.message,
        "section": found.section,
        "advice": found.advice,
    }


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
