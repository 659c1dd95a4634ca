"""Judges a tool's schema: taken as it is, taken with repairs, or refused with a reason.

Each distinct schema is judged once while it is remembered; descriptions make no difference, so phones that differ
in language cost nothing. Most schemas hold nothing that can be costly, which a look at their text shows; the others
are walked. Nothing is fetched.
Above: `intake`. Below: `schema_repair`, `schema_patterns`, `compiled_schema`, `problems`.
"""

from typing import Any

import jsonschema_rs
import msgspec

from cetp_gateway.lru import Lru
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.compiled_schema import CompiledSchema
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

_DESCRIPTION = b'"description":"'
_REMEMBERED = 2048
_REMEMBERED_BYTES = 1024
"""A repaired text up to this size is remembered with its verdict; longer ones are repaired again."""

_decode = msgspec.json.Decoder().decode
_skim = msgspec.json.Decoder(msgspec.Raw).decode
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
        self._verdicts: Lru[int, SchemaVerdict] = Lru(_REMEMBERED)

    def judge(self, raw: bytes | msgspec.Raw) -> SchemaVerdict:
        """The verdict on a schema's JSON text; never raises."""
        text = bytes(raw)
        most = self._limits.schema_bytes
        if len(text) > most:
            return _refused(f"it has {len(text)} bytes, at most {most} are taken (limits.schema_bytes)")
        # Python keys its hashes anew in every process: nobody outside can make two schemas collide.
        key = hash(text)
        return self._verdicts.get(key) or self._judge_essence(key, text)

    def _judge_essence(self, key: int, text: bytes) -> SchemaVerdict:
        essence = _without_descriptions(text)
        essence_key = key if essence is text else hash(essence)
        verdict = self._verdicts.get(essence_key)
        if verdict is None:
            verdict = self._judge_anew(text)
            # A repaired schema holds its descriptions.
            if not verdict.repaired:
                self._verdicts.put(essence_key, verdict)
        if len(verdict.repaired) <= _REMEMBERED_BYTES:
            self._verdicts.put(key, verdict)
        return verdict

    def _judge_anew(self, text: bytes) -> SchemaVerdict:
        try:
            return self._examine(text)
        except Unusable as unusable:
            return _refused(str(unusable))

    def _examine(self, text: bytes) -> SchemaVerdict:
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


def _refused(why: str) -> SchemaVerdict:
    return SchemaVerdict(refused=True, reason=f"its schema cannot be used: {why}")


def _without_descriptions(text: bytes) -> bytes:
    """The text with its descriptions emptied, as far as a plain look finds them: the same verdict is due to it.

    Without backslashes every quote begins or ends a string, so what is taken out are whole strings that stand as
    values; no keyword's meaning hangs on those.
    """
    if b"\\" in text or not text.isascii():
        return text
    first, *rest = text.split(_DESCRIPTION)
    if not rest or not _is_json(text):
        return text
    return _DESCRIPTION.join([first, *[part[part.find(b'"') :] for part in rest]])


def _is_json(text: bytes) -> bool:
    try:
        _skim(text)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


def _openers(text: bytes) -> int:
    return text.count(b"{") + text.count(b"[")


def _is_plain(text: bytes) -> bool:
    """Whether there are no references and no patterns in it; the letters may be written as escapes, too."""
    return b"$" not in text and b"attern" not in text and (b"\\" not in text or b"\\u" not in text)


def _refuse_invalid(schema: Schema) -> None:
    error = next(_META_SCHEMA.iter_errors(schema), None)
    if error is not None:
        problem = describe(error)
        raise Unusable(f"it is not valid JSON Schema 2020-12: {problem.pointer or 'its root'} {problem.message}")
