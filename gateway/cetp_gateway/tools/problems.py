"""What is wrong with a value, in plain words: what was expected, never what was sent.

The validator's own messages repeat values at any length. Above: `compiled_schema`, `schema_check`.
"""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import jsonschema_rs
import msgspec
from jsonschema_rs import ValidationErrorKind as Kind

from cetp_gateway.api import ArgumentProblem
from cetp_gateway.tools.references import shorten
from cetp_gateway.tools.schema_parts import escape

MOST_PROBLEMS = 8
"""Problems that are told; the first ones are enough to mend a call."""
_VALUE_CHARS = 60
_OPTIONS = 12

_ARTICLES = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def describe_all(errors: Iterable[jsonschema_rs.ValidationError]) -> tuple[ArgumentProblem, ...]:
    """The first problems, each once."""
    return tuple(dict.fromkeys(map(describe, islice(errors, MOST_PROBLEMS))))


def describe(error: jsonschema_rs.ValidationError) -> ArgumentProblem:
    """One problem: a JSON pointer (RFC 6901) and a sentence without its subject."""
    return ArgumentProblem(pointer_to(error.instance_path), _sentence(error.kind))


def pointer_to(path: Iterable[str | int]) -> str:
    """A path of names and numbers as a JSON pointer, shortened when it is a stranger's novel."""
    pointer = "".join(f"/{escape(str(step))}" for step in path)
    return pointer if len(pointer) <= 200 else pointer[:199] + "…"


def expected_types(types: Iterable[str]) -> str:
    return " or ".join(_ARTICLES.get(name, name) for name in types)


def _sentence(kind: Kind) -> str:
    say = _SENTENCES.get(type(kind))
    return say(kind) if say is not None else f"does not fit the schema's `{kind.name}`"


def _json(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _VALUE_CHARS else text[: _VALUE_CHARS - 1] + "…"


def _options(options: list[Any]) -> str:
    if not options:
        return "must not be there: the schema allows no value"
    shown = ", ".join(_json(option) for option in options[:_OPTIONS])
    return f"must be one of {shown}" + (", …" if len(options) > _OPTIONS else "")


def _names(names: list[str]) -> str:
    return ", ".join(shorten(name, _VALUE_CHARS) for name in names[:_OPTIONS])


_SENTENCES: dict[type, Callable[[Any], str]] = {
    Kind.AdditionalProperties: lambda kind: f"must not have {_names(kind.unexpected)}",
    Kind.UnevaluatedProperties: lambda kind: f"must not have {_names(kind.unexpected)}",
    Kind.AnyOf: lambda _: "fits none of the forms that the schema allows",
    Kind.OneOfNotValid: lambda _: "fits none of the forms that the schema allows",
    Kind.OneOfMultipleValid: lambda _: "fits several of the forms of which the schema allows exactly one",
    Kind.Constant: lambda kind: f"must be {_json(kind.expected_value)}",
    Kind.Contains: lambda _: "lacks the items that the schema asks for",
    Kind.Custom: lambda _: "does not match the schema's pattern",
    Kind.Enum: lambda kind: _options(kind.options),
    Kind.ExclusiveMaximum: lambda kind: f"must be less than {_json(kind.limit)}",
    Kind.ExclusiveMinimum: lambda kind: f"must be more than {_json(kind.limit)}",
    Kind.FalseSchema: lambda _: "must not be there",
    Kind.Format: lambda kind: f"must have the format {shorten(kind.format, _VALUE_CHARS)}",
    Kind.MaxItems: lambda kind: f"must have at most {kind.limit} items",
    Kind.Maximum: lambda kind: f"must be at most {_json(kind.limit)}",
    Kind.MaxLength: lambda kind: f"must have at most {kind.limit} characters",
    Kind.MaxProperties: lambda kind: f"must have at most {kind.limit} properties",
    Kind.MinItems: lambda kind: f"must have at least {kind.limit} items",
    Kind.Minimum: lambda kind: f"must be at least {_json(kind.limit)}",
    Kind.MinLength: lambda kind: f"must have at least {kind.limit} characters",
    Kind.MinProperties: lambda kind: f"must have at least {kind.limit} properties",
    Kind.MultipleOf: lambda kind: f"must be a multiple of {_json(kind.multiple_of)}",
    Kind.Not: lambda _: "has a form that the schema forbids",
    Kind.PropertyNames: lambda _: "has a property whose name the schema forbids",
    Kind.Required: lambda kind: f"lacks {shorten(kind.property, _VALUE_CHARS)}",
    Kind.Type: lambda kind: f"must be {expected_types(kind.types)}",
    Kind.UnevaluatedItems: lambda _: "has more items than the schema allows",
    Kind.UniqueItems: lambda _: "must not have equal items",
}
