"""The one place where tools are made ready for a vendor. A tool that cannot be is left out alone.

Above: the vendors' adapters. Below: the rewriting of schemas. Knows nothing of requests.
"""

import functools
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from cetp_gateway.api import ToolSpec
from cetp_gateway.models.tool_schemas.dialects import Dialect
from cetp_gateway.models.tool_schemas.mending import mend
from cetp_gateway.models.tool_schemas.references import References
from cetp_gateway.models.tool_schemas.rewriting import rewrite
from cetp_gateway.models.tool_schemas.roots import flatten_root
from cetp_gateway.models.tool_schemas.walking import Schema, Unadaptable, all_schemas

CACHED_SCHEMAS: Final = 1024
"""Adapted schemas that are kept, as text; equal schemas of many phones share one."""


class ToolLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a vendor demands of the tools in a request."""

    dialect: Dialect
    max_tools: int = 128
    name_pattern: str = r"[A-Za-z0-9_-]{1,64}"
    description_chars: int = 8192


class AdaptedTool(msgspec.Struct, frozen=True):
    """A tool as the vendor may see it."""

    name: str
    description: str
    schema: msgspec.Raw
    """JSON text of the parameters."""

    def parameters(self) -> Schema:
        """The schema decoded, as a copy of the caller's own."""
        parameters: Schema = msgspec.json.decode(self.schema)
        return parameters


class Adapted(msgspec.Struct, frozen=True):
    """The tools of a request, in their order, and the reasons for those that are not in it."""

    tools: tuple[AdaptedTool, ...]
    left_out: dict[str, str]


class _Schema(msgspec.Struct, frozen=True):
    text: bytes = b""
    hint: str = ""
    reason: str = ""


def adapt_tools(tools: Sequence[ToolSpec], limits: ToolLimits) -> Adapted:
    """Make tools ready; each one's schema is adapted once and remembered by its content."""
    ready: list[AdaptedTool] = []
    left_out: dict[str, str] = {}
    for tool in tools:
        adapted = _adapted(tool.parameters, limits.dialect)
        if not re.fullmatch(limits.name_pattern, tool.name):
            left_out[tool.name] = f"its name does not fit {limits.name_pattern}"
        elif adapted.reason:
            left_out[tool.name] = adapted.reason
        else:
            description = _shortened(tool.description, adapted.hint, limits.description_chars)
            ready.append(AdaptedTool(tool.name, description, msgspec.Raw(adapted.text)))
    return Adapted(tuple(ready), left_out)


def adapt_schema(schema: Any, dialect: Dialect) -> tuple[Schema, str]:
    """One schema in a dialect, and what the model should know besides.

    Raises:
        Unadaptable: it cannot be said in this dialect; the text says why.
    """
    root = mend(schema)
    if isinstance(root, bool):
        root = {"allOf": [root]}
    for _ in all_schemas(root):  # Depth before anything that recurses.
        continue
    references = References(root)
    references.check()
    if not dialect.keeps_references:
        root = references.write_out()
    flat, hint = flatten_root(root)
    return rewrite(flat, dialect), hint


def _adapted(parameters: Any, dialect: Dialect) -> _Schema:
    try:
        text = msgspec.json.encode(parameters)
    except (TypeError, ValueError, RecursionError):
        return _Schema(reason="its schema is no JSON")
    return _adapted_text(text, dialect)


@functools.lru_cache(CACHED_SCHEMAS)
def _adapted_text(text: bytes, dialect: Dialect) -> _Schema:
    try:
        schema, hint = adapt_schema(msgspec.json.decode(text), dialect)
        return _Schema(text=msgspec.json.encode(schema), hint=hint)
    except Unadaptable as reason:
        return _Schema(reason=str(reason))
    except RecursionError:
        return _Schema(reason="its schema is nested too deep")


def _shortened(description: str, hint: str, limit: int) -> str:
    """The description with the hint behind it; the hint is worth more than the description's end."""
    room = limit - len(hint) - 1 if hint else limit
    text = description if len(description) <= room else description[: max(room - 1, 0)].rstrip() + "…"
    return f"{text} {hint}".strip()[:limit]
