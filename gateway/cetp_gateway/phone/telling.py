"""One line for people per event: what the command line and the demo print. Plain functions.

What gateways and apps say is made printable here, so that nobody's text can steer a terminal.
"""

import msgspec

from cetp_gateway.phone import listener as events

WIDTH = 300
"""Characters of one text that are shown."""


def told(event: events.PhoneEvent) -> str:
    """The event as a sentence of one line."""
    return printable(_sentence(event), 4 * WIDTH)


def printable(text: str, width: int = WIDTH) -> str:
    """The text on one line, control characters spelled out, its end cut off with an ellipsis."""
    shown = text if len(text) <= width else text[: width - 1] + "…"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in shown)


def _sentence(event: events.PhoneEvent) -> str:
    match event:
        case events.Connecting():
            text = f"connecting to {event.url}"
        case events.Connected():
            extensions = ", ".join(name.removeprefix("cetp.") for name in event.capabilities) or "none"
            text = f"connected, session {event.session_id}; extensions: {extensions}"
        case events.Registered():
            text = _registered(event)
        case events.CallReceived():
            text = f"call {event.tool} {_json(event.arguments)}"
        case events.CallAnswered():
            text = f"answered {event.tool}: {_cut(event.output)}"
        case events.CallRefused():
            hint = f" — {event.hint}" if event.hint else ""
            text = f"refused {event.tool}: [{event.code}] {_cut(event.message)}{_cut(hint)}"
        case _:
            text = _trouble(event)
    return text


def _trouble(event: events.PhoneEvent) -> str:
    match event:
        case events.CallDropped():
            return f"no answer to {event.tool}: {event.reason}"
        case events.Misbehaved():
            return f"misbehaving: {event.fault}"
        case events.Noticed():
            return f"the gateway says: {_cut(event.message)}"
        case events.Disconnected():
            return f"disconnected: {event.reason}; trying again in {event.retry_in_s:.1f} s"
        case events.Stopped():
            return f"stopped: {event.reason}"
    return type(event).__name__


def _registered(event: events.Registered) -> str:
    parts = [f"{event.offered} tools offered, the gateway holds {event.held}"]
    parts += [f"{verdict.name} {verdict.state}: {verdict.reason}" for verdict in event.verdicts if verdict.reason]
    parts += [f"{name} left out" for name in event.left_out]
    return "; ".join(parts)


def _json(value: object) -> str:
    return _cut(msgspec.json.encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
