"""Results as a table for people and as JSON for programs."""

from collections.abc import Sequence

import msgspec

from .table import Result

_TITLES = ("row", "what", "must", "aim", "measured", "spread", "verdict", "detail")


def as_table(results: Sequence[Result]) -> str:
    """A Markdown table with aligned columns."""
    cells = [_TITLES, *map(_cells, results)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_TITLES))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join((lines[0], rule, *lines[1:]))


def as_json(results: Sequence[Result]) -> str:
    """An array with an object per row."""
    rows = [
        {
            "row": result.row.key,
            "what": result.row.what,
            "unit": result.row.unit,
            "must": result.row.must,
            "aim": result.row.aim,
            "steady": result.row.steady,
            "measured": round(result.value, 4),
            "values": [round(value, 4) for value in result.values],
            "verdict": result.verdict,
            "detail": result.note,
        }
        for result in results
    ]
    return msgspec.json.format(msgspec.json.encode(rows)).decode()


def shortfalls(results: Sequence[Result]) -> str:
    """A sentence on steady rows that fall short; empty when none does."""
    failed = [f"{result.row.key} ({result.row.what})" for result in results if result.failed]
    return f"Fell short of what must be reached: {', '.join(failed)}." if failed else ""


def _cells(result: Result) -> tuple[str, ...]:
    row = result.row
    unit = f" {row.unit}" if row.unit else ""
    return (
        row.key,
        row.what,
        f"≤ {row.must:g}{unit}",
        f"{row.aim:g}",
        f"{result.value:.2f}{unit}",
        f"{result.spread:.0%}" if len(result.values) > 1 else "",
        result.verdict,
        result.note,
    )
