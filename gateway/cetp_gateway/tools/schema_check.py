"""Judges a tool's schema: taken as it is, taken with repairs, or refused with a reason.

Each distinct text is judged once while it is remembered. Most schemas hold nothing that can be costly, which a look
at their text shows; the others are walked. Nothing is fetched.
Above: `intake`. Below: `schema_repair`, `schema_patterns`, `compiled_schema`, `problems`.
"""

from hashlib import blake2b
from typing import Any

import jsonschema_rs
import msgspec

from cetp_gateway.settings.schema import LimitSettings
from cetp_gateway.tools.compiled_schema import CompiledSchema
from cetp_gateway.tools.lru import Lru
from cetp_gateway.tools.problems import describe
from cetp_gateway.tools.references import Unusable
from cetp_gateway.tools.schema_parts import depth_of
from cetp_gateway.tools.schema_patterns import drop_bad_patterns
from cetp_gateway.tools.schema_repair import as_object_schema, is_object_schema, mend_parts

Schema = dict[str, Any]

_META_SCHEMA = jsonschema_rs.Draft202012Validator(
    {"$ref": "https://json-schema.org/draft/2020-12/schema"}, offline=True
)
"""Unlike `jsonschema_rs.meta` it never looks at `$schema`, which would make it fetch what a stranger names."""

_REMEMBERED = 4096
_REMEMBERED_BYTES = 1024
"""A repaired text up to this size is remembered with its verdict; longer ones are repaired again."""

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class SchemaVerdict(msgspec.Struct, frozen=True, gc=False):
    """What became of a schema."""

    refused: bool = False
    repaired: bytes = b""
    """The text to use instead; empty when the offered one is fine."""
    reason: str = ""


FINE = SchemaVerdict()


class SchemaCheck:
    """Judges schemas within the limits of the settings."""

    def __init__(self, limits: LimitSettings) -> None:
        self._limits = limits
        self._verdicts: Lru[bytes, SchemaVerdict] = Lru(_REMEMBERED)

    def judge(self, raw: bytes | msgspec.Raw) -> SchemaVerdict:
        """The verdict on a schema's JSON text; never raises."""
        key = blake2b(raw, digest_size=16).digest()
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._judge_anew(bytes(raw))
            if len(verdict.repaired) <= _REMEMBERED_BYTES:
                self._verdicts.put(key, verdict)
        return verdict

    def _judge_anew(self, text: bytes) -> SchemaVerdict:
        try:
            return self._examine(text)
        except Unusable as unusable:
            return SchemaVerdict(refused=True, reason=f"its schema cannot be used: {unusable}")

    def _examine(self, text: bytes) -> SchemaVerdict:
        if len(text) > self._limits.schema_bytes:
            raise Unusable(
                f"it has {len(text)} bytes, at most {self._limits.schema_bytes} are taken (limits.schema_bytes)"
            )
        value = self._read(text)
        if _is_plain(text) and is_object_schema(value) and _META_SCHEMA.is_valid(value):
            return FINE
        schema, changes = as_object_schema(value)
        if not _META_SCHEMA.is_valid(schema) and mend_parts(schema):
            changes = (*changes, "empty or null `properties` or `required` within it were mended")
        _refuse_invalid(schema)
        changes = (*changes, *drop_bad_patterns(schema, self._limits.schema_patterns))
        repaired = _encode(schema)
        CompiledSchema(repaired, self._limits)
        return SchemaVerdict(repaired=repaired, reason="; ".join(changes)) if changes else FINE

    def _read(self, text: bytes) -> Any:
        if not text:
            return None
        try:
            value = _decode(text)
        except RecursionError:
            raise Unusable(self._too_deep()) from None
        except msgspec.MsgspecError:
            raise Unusable("it is not JSON, or holds a number that is too large") from None
        if _openers(text) > self._limits.schema_depth and depth_of(value) > self._limits.schema_depth:
            raise Unusable(self._too_deep())
        return value

    def _too_deep(self) -> str:
        return f"it is nested more than {self._limits.schema_depth} levels deep (limits.schema_depth)"


def _openers(text: bytes) -> int:
    return text.count(b"{") + text.count(b"[")


def _is_plain(text: bytes) -> bool:
    """Whether there are no references and no patterns in it; the letters may be written as escapes, too."""
    return b"$" not in text and b"attern" not in text and b"\\u" not in text


def _refuse_invalid(schema: Schema) -> None:
    error = next(_META_SCHEMA.iter_errors(schema), None)
    if error is not None:
        problem = describe(error)
        raise Unusable(f"it is not valid JSON Schema 2020-12: {problem.pointer or 'its root'} {problem.message}")
