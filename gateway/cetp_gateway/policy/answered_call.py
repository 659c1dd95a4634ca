"""An answered call, the commonest entry by far, in as little as its line needs: the call itself can go at once, and its
memory is used again by the next one while it is still in the processor's cache.

What is the same in many calls (tool, client, session) is encoded once. The line says what `entry_of` would say; a test
holds the two together. Above: `audit_batch`. Below: `audit_entry`.
"""

import hashlib
from collections.abc import Callable
from typing import Final

import msgspec

from cetp_gateway.api import Answered, CallContext, ToolSpec
from cetp_gateway.policy.audit_entry import EndedCall, arguments_text, moment

KNOWN: Final = 4096
"""Pairs of tool and caller that are remembered, in about 400 bytes each."""

_encode: Callable[[object], bytes] = msgspec.json.Encoder().encode


class AnsweredCall(msgspec.Struct, gc=False):
    """All that goes into the line."""

    who: bytes
    """The fields that calls have in common, as the inside of a JSON object."""
    call_id: str
    at: float
    took_s: float
    arguments: bytes
    output: str

    def line(self) -> bytes:
        """The entry as JSON. Hashes, so it is to be asked for away from the event loop."""
        output = self.output.encode("utf-8", "replace")
        return (
            b'{"at":%b,"kind":"call","call_id":%b,%b,"arguments_sha256":"%b","result_sha256":"%b",'
            b'"decision":"policy","outcome":"answered","ms":%b}'
        ) % (
            _encode(moment(self.at)),
            _encode(self.call_id),
            self.who,
            hashlib.sha256(self.arguments).hexdigest().encode(),
            hashlib.sha256(output).hexdigest().encode(),
            _encode(int(self.took_s * 1e6) / 1000),
        )


class Shortening:
    """Makes them of ended calls."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, str, str], tuple[ToolSpec, bytes]] = {}

    def of(self, ended: EndedCall) -> AnsweredCall | None:
        """None for a call that was not simply answered, or with nothing."""
        outcome = ended.outcome
        if type(outcome) is not Answered or not outcome.output:
            return None
        if ended.by or ended.decision != "policy" or ended.kind != "call":
            return None
        context, call = ended.context, ended.call
        try:
            who = self._who(call.tool, context)
        except ValueError:
            # Halves of characters, which the long way tells of.
            return None
        arguments = arguments_text(call.arguments)
        return AnsweredCall(who, context.call_id, ended.at, ended.took_s, arguments, outcome.output)

    def _who(self, tool: ToolSpec, context: CallContext) -> bytes:
        key = (id(tool), context.caller, context.client, context.session_id)
        # The tool is kept with it: another of the same id would be another's.
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            known = self._known[key] = tool, _encode(_who(tool, context))[1:-1]
        return known[1]


class _Who(msgspec.Struct, omit_defaults=True):
    """The fields of an entry that calls have in common."""

    caller: str
    client: str = ""
    session: str = ""
    tool: str = ""
    effect: str = ""
    device: str = ""
    app: str = ""


def _who(tool: ToolSpec, context: CallContext) -> _Who:
    origin = tool.origin
    return _Who(
        caller=context.caller,
        client=context.client,
        session=context.session_id,
        tool=tool.name,
        effect=tool.effect.value,
        device=origin.device if origin else "",
        app=origin.app if origin else "",
    )
