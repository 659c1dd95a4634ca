"""An error as a vendor reports it, in whichever of the shapes they use; and how long it asks to wait."""

import email.utils
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec

STATUS_OF_TYPE: Final[Mapping[str, int]] = {
    "api_error": 500,
    "authentication_error": 401,
    "billing_error": 402,
    "gateway_timeout_error": 504,
    "invalid_api_key": 401,
    "invalid_request_error": 400,
    "not_found_error": 404,
    "overloaded_error": 529,
    "permission_error": 403,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "request_too_large": 413,
    "server_error": 500,
    "timeout_error": 504,
}
"""The status that an error inside a stream would have had, by its `type` or `code`."""
OUT_OF_CREDIT: Final = frozenset({"billing_error", "insufficient_quota", "insufficient_balance"})


class VendorError(msgspec.Struct, frozen=True):
    """An error as the vendor reported it; every part may be missing."""

    message: str = ""
    type: str = ""
    status: int = 0


def read_error(body: Any) -> VendorError:
    """Find the error in a decoded body: `{"error": {…}}`, `{"error": "…"}`, the same in a list, or bare."""
    if isinstance(body, list):
        body = body[0] if body else {}
    if isinstance(body, str):
        # A proxy's page says nothing to a user.
        return VendorError(message="" if body.lstrip().startswith("<") else body)
    if not isinstance(body, dict):
        return VendorError()
    error = body.get("error", body)
    if not isinstance(error, dict):
        return VendorError(message=str(error or body.get("message", "")))
    code, status = error.get("code"), error.get("status")
    number = next((value for value in (code, status) if isinstance(value, int) and 100 <= value < 600), 0)
    kinds = [error.get("type"), code, status]
    named = [kind for kind in kinds if isinstance(kind, str)]
    known = [kind for kind in named if kind in STATUS_OF_TYPE or kind in OUT_OF_CREDIT]
    message = error.get("message", error.get("detail", body.get("detail", "")))
    return VendorError(
        message=message if isinstance(message, str) else "", type=(known or named or [""])[0], status=number
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after` (RFC 9110 10.2.3); None when not said."""
    with_ms, plain = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        seconds = float(with_ms) / 1000 if with_ms else float(plain or "x")
    except ValueError:
        seconds = _until(plain)
    return seconds if 0 <= seconds < 86_400 else None


def _until(date: str | None) -> float:
    parsed = email.utils.parsedate_tz(date) if date else None
    return email.utils.mktime_tz(parsed) - time.time() if parsed else -1.0
