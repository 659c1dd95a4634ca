"""What each family of vendors understands of JSON Schema. One table, so that moving limits have one place."""

from typing import Final

import msgspec


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How a schema must look before a vendor is given it."""

    name: str
    keeps_references: bool = True
    """False: `$ref` is written out, to a fixed depth."""
    keeps_booleans: bool = False
    """True: `true` and `false` may stand in place of a schema."""
    openapi: bool = False
    """True: the OpenAPI subset: one type per schema and `nullable`, no constants, and only `keywords`."""
    keywords: frozenset[str] | None = None
    """The only keywords that are accepted; None accepts all of 2020-12."""
    formats: frozenset[str] | None = None
    """The only values of `format`; None accepts all."""


ANTHROPIC: Final = Dialect(name="anthropic", keeps_booleans=True)
OPENAI: Final = Dialect(name="openai")
PORTABLE: Final = Dialect(name="portable", keeps_references=False)
"""For servers that are only compatible: many ignore or refuse `$ref`."""
GEMINI: Final = Dialect(
    name="gemini",
    keeps_references=False,
    openapi=True,
    # https://ai.google.dev/api/caching#Schema
    keywords=frozenset(
        {
            "anyOf",
            "description",
            "enum",
            "format",
            "items",
            "maxItems",
            "maxLength",
            "maxProperties",
            "maximum",
            "minItems",
            "minLength",
            "minProperties",
            "minimum",
            "nullable",
            "pattern",
            "properties",
            "required",
            "type",
        }
    ),
    formats=frozenset({"date-time", "double", "enum", "float", "int32", "int64"}),
)
