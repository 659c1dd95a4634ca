"""Signatures of outgoing webhooks, as Standard Webhooks (v1, symmetric) has them. Plain functions of values."""

import base64
import binascii
import hashlib
import hmac
from typing import Final

from cetp_gateway.errors import SettingsError

_PREFIX: Final = "whsec_"
_LEAST_BYTES: Final = 24


def key_of(secret: str) -> bytes:
    """The key that a secret stands for: base64 behind `whsec_`, else the text itself; empty for an empty one.

    Raises:
        SettingsError: it is too short, or no base64.
    """
    try:
        encoded = secret.startswith(_PREFIX)
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True) if encoded else secret.encode()
    except binascii.Error:
        raise SettingsError("schedules.webhook_secret: what stands behind whsec_ is no base64.") from None
    if 0 < len(key) < _LEAST_BYTES:
        raise SettingsError(f"schedules.webhook_secret: at least {_LEAST_BYTES} bytes are needed.")
    return key


def signed_headers(key: bytes, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers of a message. `timestamp` is in seconds since 1970."""
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }
