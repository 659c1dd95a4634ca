"""One declaration of a built-in tool: its parameters as a msgspec Struct are its JSON Schema and its decoder at once.

Above: every tool. Below: api, msgspec.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec

from cetp_gateway.api import Arguments, Effect, Origin, ToolSpec


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what tools are asked for: every field with a description for the model, and with its bounds."""


A = TypeVar("A", bound=Asked)


class Declared(Generic[A]):
    """A tool's name, effect and description for the model, and the Struct of its arguments. A tool that passes on what
    strangers wrote has an origin, which marks its answers as data; it must end by its deadline on its own.
    """

    def __init__(
        self, asked: type[A], *, name: str, effect: Effect, description: str, origin: Origin | None = None
    ) -> None:
        self._asked = asked
        self.spec = ToolSpec(
            name=name, description=description, parameters=parameters_of(asked), effect=effect, origin=origin
        )

    def read(self, arguments: Arguments) -> A:
        """The arguments as their Struct. Raises msgspec.ValidationError for what the schema does not allow."""
        return msgspec.convert(arguments, self._asked)


def parameters_of(asked: type[Asked]) -> dict[str, Any]:
    """The JSON Schema of a Struct, whole: not every vendor follows references."""
    (_, parts) = msgspec.json.schema_components([asked])
    schema = _inlined(parts[asked.__name__], parts)
    # The text of the class is for people who read the source.
    return {key: schema[key] for key in ("type", "properties", "required", "additionalProperties") if key in schema}


def _inlined(schema: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(item, parts) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(parts[schema["$ref"].rpartition("/")[2]], parts)
    return {key: _inlined(value, parts) for key, value in schema.items() if key != "title" or isinstance(value, dict)}
