"""One connection to the gateway: opens the socket, with the token in its header and nowhere else."""

import logging
from collections.abc import Mapping
from ssl import SSLContext

from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.errors import GatewayRefused
from cetp_gateway.phone.limits import PhoneLimits

_logger = logging.getLogger(__name__)
# websockets logs headers at DEBUG, and with them the token.
_logger.setLevel(logging.INFO)


def authorization(token: str) -> Mapping[str, str]:
    """The header for a token; none for an empty one, as for a gateway without pairing.

    Raises:
        GatewayRefused: the text cannot be a token.
    """
    if not token:
        return {}
    if not token.isascii() or not token.isprintable() or " " in token:
        raise GatewayRefused("the token holds characters that no token has; copy it again", status=401)
    return {"Authorization": f"Bearer {token}"}


async def open_socket(
    url: str, token: str, limits: PhoneLimits, *, notices_loss: bool, ssl_context: SSLContext | None = None
) -> ClientConnection:
    """Connect and upgrade; raises what `endings.of_failure` explains.

    Args:
        url: as `address.socket_url` gives it.
        token: empty for a gateway without pairing.
        limits: bounds of opening, closing, pinging and reading.
        notices_loss: ping the gateway, so that a lost network ends the connection.
        ssl_context: for `wss://`; None takes the system's authorities.
    """
    return await connect(
        url,
        ssl=ssl_context,
        additional_headers=authorization(token),
        user_agent_header="cetp-phone",
        compression=None,
        # The gateway is in the same network; a proxy for the web does not lead there.
        proxy=None,
        open_timeout=limits.open_s,
        close_timeout=limits.close_s,
        ping_interval=limits.ping_s if notices_loss else None,
        ping_timeout=limits.ping_s,
        max_size=limits.incoming_bytes,
        logger=_logger,
    )
