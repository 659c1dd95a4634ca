"""Lines to and from a program under test, one at a time, within bounds, and commands signed for it.

Above: the checks. Below: framing, signatures, matching of patterns.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from cetp_gateway.pipe.check.findings import Unfit
from cetp_gateway.pipe.lines import Line, LineFramer, TooLarge
from cetp_gateway.pipe.signing import Signer, signed_text
from cetp_gateway.pipe.stable_json import stable_json
from cetp_gateway.pipe.strict_json import NotJson, read_object
from cetp_spec.matching import mismatch

ANSWER_S = 10.0
"""For a line that needs no browser."""
_SHOWN = 200


class Talk:
    """One conversation. `read` gives bytes (empty at the end), `write` takes a line."""

    def __init__(self, read: Callable[[], Awaitable[bytes]], write: Callable[[bytes], Awaitable[None]]) -> None:
        self._read = read
        self._write = write
        self._framer = LineFramer()
        self._lines: deque[Line] = deque()
        self.seed = ""

    async def say(self, message: dict[str, Any]) -> None:
        """Write a message; `{"$hmac": …}` in it is filled in (pipe 12.4)."""
        await self.say_line(msgspec.json.encode(signed(message, self.seed)))

    async def say_line(self, line: bytes) -> None:
        """Write any bytes as a line."""
        await self._write(line + b"\n")

    async def hear(self, within_s: float = ANSWER_S) -> dict[str, Any]:
        """The next message. Raises Unfit when none comes in time, the program ends, or it is no message."""
        line = await self.next_line(within_s)
        if line is None:
            raise Unfit("the program ended instead of answering")
        if isinstance(line, TooLarge):
            raise Unfit("the program sent a line above 1 MB")
        try:
            return read_object(line)
        except NotJson as wrong:
            raise Unfit(f"the program sent what is no message ({wrong}): {line[:_SHOWN]!r}") from None

    async def next_line(self, within_s: float = ANSWER_S) -> Line | None:
        """The next line, None at the end. Raises Unfit when nothing comes in time."""
        try:
            async with asyncio.timeout(within_s):
                while not self._lines:
                    chunk = await self._read()
                    if not chunk:
                        return None
                    self._lines.extend(self._framer.feed(chunk))
        except TimeoutError:
            raise Unfit(f"nothing came within {within_s:g} s") from None
        return self._lines.popleft()

    async def expect(self, pattern: dict[str, Any], within_s: float = ANSWER_S) -> dict[str, Any]:
        """The next message, which must fit the pattern. Raises Unfit."""
        message = await self.hear(within_s)
        problem = mismatch(pattern, message, {})
        if problem is not None:
            raise Unfit(f"expected {_brief(pattern)}, got {_brief(message)}: {problem[:_SHOWN]}")
        return message

    async def expect_end(self, within_s: float) -> None:
        """Nothing but the end may come. Raises Unfit."""
        line = await self.next_line(within_s)
        if line is not None:
            raise Unfit(f"expected the end, got {line[:_SHOWN]!r}" if isinstance(line, bytes) else "a large line came")


def signed(message: dict[str, Any], seed: str) -> dict[str, Any]:
    """The message with `{"$hmac": "right"}` or `"other"` in its security filled in for this seed."""
    security = message.get("security")
    wanted = security.get("hmac") if isinstance(security, dict) else None
    if not isinstance(security, dict) or not isinstance(wanted, dict):
        return message
    seq = message["seq"] + (1 if wanted["$hmac"] == "other" else 0)
    text = signed_text(seq, message["action"], stable_json(message["params"]), security["expected_domain"])
    return {**message, "security": {**security, "hmac": Signer(seed).sign(text)}}


def command(seq: int, action: str, params: dict[str, Any], domain: str = "example.org") -> dict[str, Any]:
    """A command to be signed."""
    security = {"expected_domain": domain, "hmac": {"$hmac": "right"}}
    return {"seq": seq, "type": "command", "action": action, "params": params, "security": security}


def failure(seq: int, code: str) -> dict[str, Any]:
    """The pattern of a failure."""
    error = {"code": code, "message": {"$any": "string"}}
    return {"seq": seq, "type": "response", "success": False, "error": error}


def _brief(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
