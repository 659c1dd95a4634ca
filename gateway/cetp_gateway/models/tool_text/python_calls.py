"""Calls written as Python: `name(key="value")`, several in a list, or printed. The source is parsed, never run."""

import ast
import re
from collections.abc import Iterator
from typing import Any, Final

from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_calls import plain_name
from cetp_gateway.models.tool_text.json_text import parse_python
from cetp_gateway.models.tool_text.offered_names import OfferedNames

_START: Final = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\s*\(")
_START_HALF: Final = re.compile(r"\s*\[?\s*(?:[A-Za-z_][\w.]*)?\s*\Z")
_END: Final = re.compile(r"</tool_calls?>|</function_calls>|<\|[\w/]+\|>|^[ \t]*```|▷|\Z", re.MULTILINE)
_CONSTANTS: Final = {"true": True, "false": False, "null": None}


def read_python_calls(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """Everything up to the format's end must be calls."""
    if not _START.match(text, at):
        return HALF if _START_HALF.match(text, at) else None
    end = _END.search(text, at)
    behind = end.start() if end else len(text)
    calls = python_calls(text[at:behind], tools)
    if calls is None:
        return HALF if behind == len(text) else None
    return Found(calls, behind)


def python_calls(source: str, tools: OfferedNames) -> tuple[FoundCall, ...] | None:
    """The calls of a source that has nothing else; None when it has, or when it is no Python."""
    module = parse_python(source.strip())
    if module is None or not module.body:
        return None
    found: list[FoundCall] = []
    for statement in module.body:
        value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
        if value is None:
            return None
        for node in _parts(value):
            call = _call(node, tools)
            if call is None:
                return None
            found.append(call)
    return tuple(found) or None


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """The calls inside a list, a tuple or a `print`."""
    if isinstance(node, ast.List | ast.Tuple):
        for element in node.elts:
            yield from _parts(element)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print" and node.args:
        yield from _parts(node.args[0])
    else:
        yield node


def _call(node: ast.expr, tools: OfferedNames) -> FoundCall | None:
    if not isinstance(node, ast.Call):
        return None
    name = plain_name(_dotted(node.func)).removesuffix(".call")
    if not name:
        return None
    try:
        arguments = {keyword.arg: _value(keyword.value) for keyword in node.keywords if keyword.arg}
        positional = [_value(argument) for argument in node.args]
    except (ValueError, TypeError, RecursionError):
        return FoundCall(name, {}, "The arguments must be plain values.")
    names = tools.property_names(name)
    if len(positional) > len(names):
        return FoundCall(name, arguments, "The arguments must be given by name.")
    return FoundCall(name, {**dict(zip(names, positional, strict=False)), **arguments})


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in _CONSTANTS:
        return _CONSTANTS[node.id]
    value = ast.literal_eval(node)
    if isinstance(value, bytes | complex | set):
        raise TypeError("no JSON")
    return list(value) if isinstance(value, tuple) else value
