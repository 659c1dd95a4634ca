"""One tool as the search sees it: its terms, weighed by where they stand. Plain functions of values.

Above: `index`, `indexes`. Below: `words`, `labels`, api.
"""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec

from cetp_gateway.agent.tool_search.labels import SEPARATOR
from cetp_gateway.agent.tool_search.words import terms_of
from cetp_gateway.api import ToolSpec

NAME_WEIGHT: Final = 2.5
LABEL_WEIGHT: Final = 1.5
DESCRIPTION_WEIGHT: Final = 1.0
PARAMETER_WEIGHT: Final = 0.5

DESCRIPTION_CHARS: Final = 1000
"""The part of a description that is read; makers say first what matters."""
PARAMETER_CHARS: Final = 120
PARAMETERS: Final = 24
VALUES: Final = 12

_encode = msgspec.json.Encoder().encode


class ToolDocument(msgspec.Struct, frozen=True, gc=False):
    """What is known of one tool, whichever list it is in."""

    key: bytes
    """Of its words; the same for tools that are found alike."""
    terms: dict[str, float]
    """Weighted frequencies."""
    length: float
    """Sum of all frequencies: words by which a description is stuffed make each of them count less."""
    takes_text: bool
    """It cannot be called without a text of the caller's own, so it can be asked about any word."""
    text: str
    """For embeddings."""


def document_key(tool: ToolSpec) -> bytes:
    """The key that `document_of` is given; takes 2 µs for a usual tool."""
    return blake2b(encoded(tool), digest_size=16).digest()


def encoded(tool: ToolSpec) -> bytes:
    """All that is searched, as JSON."""
    return _encode((tool.name, tool.description, tool.parameters))


def document_of(tool: ToolSpec, key: bytes) -> ToolDocument:
    """Takes 0.1 ms for a usual tool."""
    terms: dict[str, float] = {}
    length = 0.0
    properties = _properties(tool.parameters)
    for text, weight in _fields(tool, properties):
        for term in terms_of(text):
            length += weight * term.weight
            for known in (term.stem, *term.meanings):
                terms[known] = terms.get(known, 0.0) + weight * term.weight
    text = f"{tool.name.replace('_', ' ')}: {tool.description[:DESCRIPTION_CHARS]}"
    return ToolDocument(key, terms, length, _takes_text(tool.parameters.get("required"), properties), text)


def _fields(tool: ToolSpec, properties: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """`label__own__host`, of which any tool has the middle part."""
    first, *others = tool.name.split(SEPARATOR)
    own, host = (others[0], " ".join(others[1:])) if others else (first, "")
    yield own, NAME_WEIGHT
    yield f"{first} {host}" if others else "", LABEL_WEIGHT
    yield tool.description[:DESCRIPTION_CHARS], DESCRIPTION_WEIGHT
    for name, schema in list(properties.items())[:PARAMETERS]:
        yield f"{name} {_words_of(schema)}", PARAMETER_WEIGHT


def _words_of(schema: Any) -> str:
    if not isinstance(schema, dict):
        return ""
    values = schema.get("enum")
    named = [value for value in values[:VALUES] if isinstance(value, str)] if isinstance(values, list) else []
    description = schema.get("description")
    said = description if isinstance(description, str) else ""
    return " ".join(text[:PARAMETER_CHARS] for text in (said, *named))


def _takes_text(required: Any, properties: Mapping[str, Any]) -> bool:
    if not isinstance(required, list):
        return False
    wanted = ((name, properties.get(name)) for name in required if isinstance(name, str) and not name.endswith("id"))
    return any(
        isinstance(schema, dict) and schema.get("type") == "string" and not schema.keys() & {"enum", "format"}
        for name, schema in wanted
    )


def _properties(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = parameters.get("properties")
    return properties if isinstance(properties, dict) else {}
