"""Makes tools ready to be called, and keeps those that are in use.

Above: `catalog`, `views`. Below: `registered`, `compiled_schema`, `toolset`.
"""

import logging
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from cetp_gateway.api import Origin, Tool, ToolSpec
from cetp_gateway.lru import Lru
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.references import Unusable
from cetp_gateway.tools.registered import BuiltinTool, FindEntry, HostTool
from cetp_gateway.tools.toolset import StoredTool, ToolsetStore

if TYPE_CHECKING:
    from cetp_gateway.tools.arguments import ArgumentReader
    from cetp_gateway.tools.compiled_schema import CompiledSchema

_IN_USE = 8192
_COMPILED = 4096
"""A compiled schema takes about 14 KiB; equal ones are shared."""

_logger = logging.getLogger(__name__)
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Binding:
    """Tools by host, toolset, place and name, so that they last while a registry's revisions come and go."""

    def __init__(self, store: ToolsetStore, find_entry: FindEntry, limits: LimitSettings) -> None:
        self._store = store
        self._find_entry = find_entry
        self._limits = limits
        self._tools: Lru[tuple[str, bytes, int, str, str], HostTool] = Lru(_IN_USE)
        self._schemas: Lru[bytes, CompiledSchema] = Lru(_COMPILED)

    def bind(self, entry: HostEntry, place: int, name: str) -> HostTool:
        """The tool at this place of the host's toolset, under its public name."""
        key = (entry.host_id, entry.toolset.digest, place, name, entry.label)
        tool = self._tools.get(key)
        if tool is None:
            tool = self._tools.put(key, self._bind(entry, self._store.unpack(entry.toolset)[place], name))
        return tool

    def bind_builtin(self, tool: Tool) -> BuiltinTool:
        return BuiltinTool(tool, lambda: self._reader(_encode(tool.spec.parameters)))

    def _bind(self, entry: HostEntry, tool: StoredTool, name: str) -> HostTool:
        text = bytes(tool.parameters)
        return HostTool(
            spec_of(entry, tool, name),
            wire_name=tool.wire_name,
            base=tool.base,
            host_id=entry.host_id,
            find_entry=self._find_entry,
            reader=self._reader(text),
        )

    def _reader(self, text: bytes) -> "ArgumentReader":
        # With the validator, which is loaded when the first phone comes (see `intake`).
        from cetp_gateway.tools.arguments import ArgumentReader  # noqa: PLC0415

        return ArgumentReader(lambda: self._compiled(text), self._limits)

    def _compiled(self, text: bytes) -> "CompiledSchema":
        key = blake2b(text, digest_size=16).digest()
        schema = self._schemas.get(key)
        return schema if schema is not None else self._schemas.put(key, self._compile(text))

    def _compile(self, text: bytes) -> "CompiledSchema":
        from cetp_gateway.tools.compiled_schema import CompiledSchema  # noqa: PLC0415

        try:
            return CompiledSchema(text, self._limits)
        except Unusable as unusable:
            _logger.warning("A schema passed the intake, yet %s; arguments for it are not checked.", unusable)
            return CompiledSchema(b"{}", self._limits)


def spec_of(entry: HostEntry, tool: StoredTool, name: str) -> ToolSpec:
    """A host's tool as a model sees it."""
    return ToolSpec(
        name=name,
        description=tool.description,
        parameters=_decode(tool.parameters),
        effect=tool.effect,
        base="" if tool.base == name else tool.base,
        origin=Origin(entry.label, tool.app, entry.server),
    )
