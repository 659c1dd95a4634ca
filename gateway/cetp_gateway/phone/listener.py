"""What happens on a virtual phone, told to whoever listens: the command line, the demo, a test."""

from collections.abc import Callable
from typing import Any

import msgspec

from cetp_gateway.phone.frames import Verdict


class PhoneEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Base of all events; `msgspec.json.encode` gives the line for machines. None holds the token."""


class Connecting(PhoneEvent, frozen=True, kw_only=True, tag="connecting"):
    """An attempt begins."""

    url: str


class Connected(PhoneEvent, frozen=True, kw_only=True, tag="connected"):
    """The gateway has greeted the phone."""

    session_id: str
    capabilities: list[str]
    """Those that both sides have."""


class Registered(PhoneEvent, frozen=True, kw_only=True, tag="registered"):
    """The gateway has taken the tools."""

    offered: int
    """Tools on the phone."""
    held: int
    """Names that the gateway now holds for this socket."""
    verdicts: list[Verdict]
    """One per tool from gateways that give them."""
    left_out: list[str]
    """Tools that were not sent: too large for the gateway, or without a usable name."""


class CallReceived(PhoneEvent, frozen=True, kw_only=True, tag="call_received"):
    """The gateway asks for a call."""

    id: str
    tool: str
    arguments: Any
    """An object unless the gateway is at fault."""


class CallAnswered(PhoneEvent, frozen=True, kw_only=True, tag="call_answered"):
    """The app answered and the answer was sent."""

    id: str
    tool: str
    output: str


class CallRefused(PhoneEvent, frozen=True, kw_only=True, tag="call_refused"):
    """The app, or the phone for it, said no, and that was sent."""

    id: str
    tool: str
    code: str
    message: str
    hint: str
    intent: str


class CallDropped(PhoneEvent, frozen=True, kw_only=True, tag="call_dropped"):
    """The call ended without an answer: cancelled, over its deadline, or the socket went."""

    id: str
    tool: str
    reason: str


class Misbehaved(PhoneEvent, frozen=True, kw_only=True, tag="misbehaved"):
    """A fault was carried out; `id` is empty outside a call."""

    fault: str
    id: str


class Noticed(PhoneEvent, frozen=True, kw_only=True, tag="noticed"):
    """The gateway sent an error, or something that is no frame."""

    message: str


class Disconnected(PhoneEvent, frozen=True, kw_only=True, tag="disconnected"):
    """The connection ended or could not be made; the next attempt follows."""

    reason: str
    retry_in_s: float


class Stopped(PhoneEvent, frozen=True, kw_only=True, tag="stopped"):
    """The phone is at its end and does not try again."""

    reason: str


Listener = Callable[[PhoneEvent], None]
"""Takes the events in order; must not block."""


def nobody(_: PhoneEvent) -> None:
    """The listener of a phone to which nobody listens."""
