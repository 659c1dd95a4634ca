"""An SQL query (SQLite's SELECT) over a CSV text, as the table `data` in memory."""

import csv
import io
import json
import sqlite3
import sys
from collections.abc import Iterator

MAX_COLUMNS = 500
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}
_NOT_CALLED = {"load_extension", "fts3_tokenizer", "writefile", "readfile", "edit"}


def main() -> None:
    """Read `{"text", "query", "limit", "delimiter"}`, write columns, rows and whether there are more."""
    asked = json.load(sys.stdin)
    connection = sqlite3.connect(":memory:")
    _fill(connection, asked["text"], asked["delimiter"])
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 16 * 1024 * 1024)
    connection.set_authorizer(_authorize)
    try:
        cursor = connection.execute(asked["query"])
        columns = [column[0] for column in cursor.description or ()]
        rows = cursor.fetchmany(asked["limit"] + 1)
    except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
        _refuse(f"query: {error}. The table is data, its columns are {', '.join(_columns(connection))}.")
    answer = {"columns": columns, "rows": rows[: asked["limit"]], "more": len(rows) > asked["limit"]}
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":"), default=repr))


def _authorize(action: int, _: str | None, second: str | None, *__: str | None) -> int:
    """Reading and nothing else; recursion, which needs no table to run for ever, is not reading."""
    if action not in _ALLOWED or (action == sqlite3.SQLITE_FUNCTION and second in _NOT_CALLED):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _fill(connection: sqlite3.Connection, text: str, delimiter: str) -> None:
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    csv.field_size_limit(1024 * 1024)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or max(",;\t|", key=first.count))
    try:
        names = _distinct(next(lines, []))
        rows = _rows(lines, len(names))
        if not names or len(names) > MAX_COLUMNS:
            _refuse(f"The text is no CSV with 1 to {MAX_COLUMNS} columns and a line with their names.")
        # Without a declared type every value keeps its own.
        connection.execute(f"CREATE TABLE data ({', '.join(map(_quoted, names))})")
        connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", rows)  # noqa: S608
    except csv.Error as error:
        _refuse(f"The text is no CSV: {error}.")


def _rows(lines: Iterator[list[str]], width: int) -> Iterator[list[str | int | float | None]]:
    for line in lines:
        if line:
            yield [_typed(value) for value in (line + [""] * width)[:width]]


def _typed(value: str) -> str | int | float | None:
    """Numbers as numbers, but for those that would lose something: a phone's or a postcode's leading zero."""
    text = value.strip()
    if not text:
        return None
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        return int(text) if len(digits) < 19 and (digits == "0" or digits[0] != "0") else value
    whole, point, rest = digits.partition(".")
    if point and (whole + rest).isascii() and (whole + rest).isdigit() and len(whole + rest) < 16:
        return float(text)
    return value


def _distinct(names: list[str]) -> list[str]:
    taken: set[str] = set()
    distinct = []
    for number, name in enumerate(names, start=1):
        base = wanted = name.strip().replace("\0", "") or f"column{number}"
        more = 2
        while wanted.casefold() in taken:
            wanted, more = f"{base}_{more}", more + 1
        taken.add(wanted.casefold())
        distinct.append(wanted)
    return distinct


def _columns(connection: sqlite3.Connection) -> list[str]:
    connection.set_authorizer(None)
    return [row[1] for row in connection.execute("PRAGMA table_info(data)")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _refuse(reason: str) -> None:
    sys.stderr.write(reason[:1000])
    sys.exit(3)


if __name__ == "__main__":
    main()
