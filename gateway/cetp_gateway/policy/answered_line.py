"""The line of an answered call, the commonest entry by far, written without an AuditEntry in between: half the time.

What is the same in many calls (tool, client, session) is encoded once. The line says what `entry_of` would say; a test
holds the two together. Above: `audit_lines`. Below: `audit_entry`.
"""

import hashlib
from binascii import hexlify
from collections.abc import Callable
from typing import Final

import msgspec

from cetp_gateway.api import Answered, CallContext, ToolSpec
from cetp_gateway.policy.audit_entry import EndedCall, arguments_text, moment

KNOWN: Final = 4096
"""Pairs of tool and caller that are remembered, in about 400 bytes each."""

_encode: Callable[[object], bytes] = msgspec.json.Encoder().encode


class _Who(msgspec.Struct, omit_defaults=True):
    """The fields of an entry that calls have in common."""

    caller: str = ""
    client: str = ""
    session: str = ""
    tool: str = ""
    effect: str = ""
    device: str = ""
    app: str = ""


class AnsweredLines:
    """Writes them."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str, str, str], tuple[ToolSpec, bytes]] = {}

    def line(self, ended: EndedCall) -> bytes | None:
        """With its newline; None for a call that was not simply answered, or with nothing."""
        outcome = ended.outcome
        if type(outcome) is not Answered or not outcome.output or ended.by or ended.decision != "policy":
            return None
        if ended.kind != "call":
            return None
        output = outcome.output.encode("utf-8", "replace")
        return b"".join((
            b'{"at":', _encode(moment(ended.at)),
            b',"kind":"call","call_id":', _encode(ended.context.call_id),
            b",", self._who(ended.call.tool, ended.context),
            b',"arguments_sha256":"', hexlify(hashlib.sha256(arguments_text(ended.call.arguments)).digest()),
            b'","result_sha256":"', hexlify(hashlib.sha256(output).digest()),
            b'","decision":"policy","outcome":"answered","ms":', _encode(int(ended.took_s * 1e6) / 1000),
            b"}\n",
        ))  # fmt: skip

    def _who(self, tool: ToolSpec, context: CallContext) -> bytes:
        key = (id(tool), context.caller, context.client, context.session_id)
        known = self._known.get(key)
        # The tool is kept with it: another of the same id would be another's.
        if known is not None:
            return known[1]
        if len(self._known) >= KNOWN:
            self._known.clear()
        text = _who(tool, context)
        self._known[key] = tool, text
        return text


def _who(tool: ToolSpec, context: CallContext) -> bytes:
    origin = tool.origin
    who = _Who(
        caller=context.caller,
        client=context.client,
        session=context.session_id,
        tool=tool.name,
        effect=tool.effect.value,
        device=origin.device if origin else "",
        app=origin.app if origin else "",
    )
    return _encode(who)[1:-1]
