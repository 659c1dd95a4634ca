"""Reads the arguments of a call: checks them against the tool's schema and mends what is plainly meant.

Models send objects as text now and then (an object within quotes, or the whole encoded twice). That is undone where
the schema asks for an object or array and not for text; where it allows text, text stays as it was sent.
Above: `registered`. Below: `compiled_schema`, `unquoting`.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from cetp_gateway.api import ArgumentProblem, Arguments, InvalidArguments
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.compiled_schema import CompiledSchema
from cetp_gateway.tools.problems import describe_all
from cetp_gateway.tools.schema_parts import depth_of
from cetp_gateway.tools.unquoting import unquote, unquote_parts

_ROUNDS = 3
"""Text within text within text is as deep as unquoting goes."""

_encode = msgspec.json.Encoder().encode


class ArgumentReader:
    """Reads the arguments of one tool; its schema is compiled when the first ones come."""

    __slots__ = ("_compile", "_easy_bytes", "_is_valid", "_limits", "_schema")

    def __init__(self, compile_schema: Callable[[], CompiledSchema], limits: LimitSettings) -> None:
        self._compile = compile_schema
        self._limits = limits
        self._schema: CompiledSchema | None = None
        self._easy_bytes = -1

    def read(self, arguments: Any) -> Arguments | InvalidArguments:
        """The arguments, mended if need be, or what is wrong with them; never raises."""
        try:
            return self._read(arguments)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
            return _invalid("must be JSON that is not nested too deep")

    def _read(self, arguments: Any) -> Arguments | InvalidArguments:
        if type(arguments) is not dict and type(arguments := _as_object(arguments)) is not dict:
            return _invalid("must be an object")
        schema = self._schema or self._prepare()
        text = _encode(arguments)
        if len(text) > self._easy_bytes:
            objection = self._objection(text, arguments)
            if objection:
                return _invalid(objection)
            if not schema.allows(text, arguments):
                return arguments
        if schema.is_valid(arguments):
            return arguments
        return self._mend(schema, arguments)

    def _prepare(self) -> CompiledSchema:
        self._schema = self._compile()
        # Two bytes a level: shorter arguments cannot be nested too deep.
        self._easy_bytes = min(self._schema.easy_bytes, 2 * self._limits.argument_depth, self._limits.argument_bytes)
        return self._schema

    def _objection(self, text: bytes, arguments: Any) -> str:
        limits = self._limits
        if len(text) > limits.argument_bytes:
            return f"must not have more than {limits.argument_bytes} bytes as JSON (limits.argument_bytes)"
        openers = text.count(b"{") + text.count(b"[")
        if openers > limits.argument_depth and depth_of(arguments) > limits.argument_depth:
            return f"must not be nested more than {limits.argument_depth} levels deep (limits.argument_depth)"
        return ""

    def _mend(self, schema: CompiledSchema, arguments: Arguments) -> Arguments | InvalidArguments:
        """Undo quoting where the schema asks for it; what then is still wrong is told of what was sent."""
        first = errors = schema.errors(arguments)
        for _ in range(_ROUNDS):
            mended: Arguments | None = unquote_parts(arguments, errors)
            if mended is None:
                break
            text = _encode(mended)
            objection = self._objection(text, mended)
            if objection:
                return _invalid(objection)
            if not schema.allows(text, mended) or schema.is_valid(mended):
                return mended
            arguments, errors = mended, schema.errors(mended)
        return InvalidArguments(describe_all(first))


def _as_object(arguments: Any) -> Any:
    """Nothing at all as an object without properties, and an object that was encoded twice."""
    if arguments is None:
        return {}
    if type(arguments) is str:
        return unquote(arguments) if arguments.strip() else {}
    return arguments


def _invalid(objection: str) -> InvalidArguments:
    return InvalidArguments((ArgumentProblem("", objection),))
