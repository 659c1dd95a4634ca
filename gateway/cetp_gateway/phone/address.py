"""From what a person types for a gateway to the WebSocket URL of its devices' door."""

from urllib.parse import quote, urlsplit

from cetp_gateway.errors import GatewayUnreachable

DEFAULT_PORT = 42617
"""Where a gateway listens unless told otherwise."""
PATH = "/ws/chat"

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_FORMS = "give it as http://HOST:PORT, ws://HOST:PORT or HOST:PORT"


def socket_url(address: str, session_id: str = "") -> str:
    """`ws(s)://HOST:PORT/ws/chat`, behind a prefix when the address has one.

    Without a scheme the port is 42617 unless given; with one it is the scheme's own.

    Raises:
        GatewayUnreachable: the text is no address, or carries a token, which belongs in a header.
    """
    typed = address.strip()
    try:
        parts = urlsplit(typed if "://" in typed else f"ws://{typed}")
        port = parts.port
    except ValueError:
        raise GatewayUnreachable(f"{_shown(typed)} is not a gateway's address; {_FORMS}") from None
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise GatewayUnreachable(f"{_shown(typed)} is not a gateway's address; {_FORMS}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise GatewayUnreachable(
            f"the gateway's address has more than host, port and path; {_FORMS}, and the token apart"
        )
    if port is None and "://" not in typed:
        port = DEFAULT_PORT
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    path = parts.path.rstrip("/").removesuffix(PATH) + PATH
    query = f"?session_id={quote(session_id, safe='')}" if session_id else ""
    return f"{_SCHEMES[parts.scheme]}://{host}{f':{port}' if port else ''}{path}{query}"


def _shown(typed: str) -> str:
    """Without what may be a secret before an @ or behind a ?."""
    return typed.rpartition("@")[2].partition("?")[0][:100] or "an empty text"
