"""Reads packs from files and from those that ship, and says precisely what is wrong with a bad one."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jsonschema import Draft202012Validator, ValidationError

from cetp_gateway.errors import PackError
from cetp_gateway.phone.pack import Pack, PackTool, Reply
from cetp_gateway.phone.query import operands

_HERE = Path(__file__).parent
PACKS = _HERE / "packs"
SCHEMA = _HERE / "pack.schema.json"

MAX_PROBLEMS = 20
"""Problems named in one error."""
MAX_DEPTH = 64
"""Nesting of a pack."""


def shipped_packs() -> list[Pack]:
    """The packs of this distribution, in the order of their file names."""
    return [load_pack(path) for path in sorted(PACKS.glob("*.json"))]


def load_pack(path: Path) -> Pack:
    """Read one pack file (UTF-8 JSON).

    Raises:
        PackError: the file cannot be read, is no JSON, or does not fit; the text has a JSON pointer per problem.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise PackError(f"{path.name}: cannot be read ({error.strerror}); give the path of a pack file") from error
    return read_pack(text, path.name)


def read_pack(text: bytes | str, name: str = "pack") -> Pack:
    """Read one pack from JSON text; `name` stands at the head of each problem.

    Raises:
        PackError: as for `load_pack`.
    """
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise PackError(f"{name}: not JSON: {error}") from error
    _refuse(name, _misfits(value))
    pack = msgspec.convert(value, Pack)
    _refuse(name, _contradictions(pack))
    return pack


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _refuse(name: str, problems: Iterable[tuple[str, str]]) -> None:
    lines = [f"{name}: {pointer or '/'}: {message}" for pointer, message in problems]
    if lines:
        more = [f"{name}: and {len(lines) - MAX_PROBLEMS} more"] if len(lines) > MAX_PROBLEMS else []
        raise PackError("\n".join(lines[:MAX_PROBLEMS] + more))


def _misfits(value: Any) -> Iterable[tuple[str, str]]:
    if _deeper_than(value, MAX_DEPTH):
        yield "", f"nested deeper than {MAX_DEPTH} levels"
        return
    for error in sorted(_validator().iter_errors(value), key=lambda error: list(map(str, error.absolute_path))):
        yield _pointer(error.absolute_path), _sentence(error)


def _sentence(error: ValidationError) -> str:
    if error.validator == "oneOf":
        return "a reply has exactly one of query, data, text and error"
    return str(error.message)[:200]


def _deeper_than(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [child for parent in layer for child in _children(parent)]
        if not layer:
            return False
    return True


def _children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _pointer(path: Iterable[str | int]) -> str:
    """RFC 6901."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _contradictions(pack: Pack) -> Iterable[tuple[str, str]]:
    """What a schema cannot say: tables and arguments that are named but not there."""
    for index, tool in enumerate(pack.tools):
        for number, reply in enumerate(tool.replies):
            at = f"/tools/{index}/replies/{number}"
            yield from ((at + pointer, message) for pointer, message in _reply_problems(pack, tool, reply))


def _reply_problems(pack: Pack, tool: PackTool, reply: Reply) -> Iterable[tuple[str, str]]:
    known = argument_names(tool)
    for name in reply.when:
        if name not in known:
            yield f"/when/{name}", f"{tool.name} has no argument {name!r}; it has {_listed(known)}"
    if reply.query is None:
        return
    if reply.query.table not in pack.data:
        yield "/query/table", f"no table {reply.query.table!r} in data; there are {_listed(pack.data)}"
    for pointer, operand in operands(reply.query):
        if isinstance(operand, str) and operand.startswith("$") and operand[1:] not in known:
            yield f"/query{pointer}", f"{tool.name} has no argument {operand[1:]!r}; it has {_listed(known)}"


def argument_names(tool: PackTool) -> list[str]:
    """The arguments that a tool's schema names at its root; none when it is no schema."""
    properties = tool.parameters.get("properties") if isinstance(tool.parameters, dict) else None
    return list(properties) if isinstance(properties, dict) else []


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
