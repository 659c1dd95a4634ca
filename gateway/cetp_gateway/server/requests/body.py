"""A request's body: bounded in bytes and in time, and decoded with errors that name the place."""

from typing import TypeVar

import msgspec
from starlette.types import Receive

from cetp_gateway.agent.deadlines import DeadlinePassed, until
from cetp_gateway.server.requests.errors import ClientGone, HttpError
from cetp_gateway.server.requests.headers import Headers
from cetp_gateway.server.requests.whole_request import whole_body

T = TypeVar("T")

READ_TIMEOUT_S = 30.0
"""A body that has not arrived by then is given up (408), so that a stalled client holds nothing for ever."""


async def read_body(headers: Headers, receive: Receive, *, limit: int, setting: str, now: float) -> bytes:
    """The whole body: at most `limit` bytes, which is the value of `setting` in the section limits. `now` is the
    event loop's time.

    Raises:
        HttpError: 413 too large, 408 too slow.
        ClientGone: the client left.
    """
    declared = headers.get(b"content-length", b"0")
    if declared.isdigit() and int(declared) > limit:
        raise too_large(limit, setting)
    body = whole_body(receive)
    if body is not None:
        if len(body) > limit:
            raise too_large(limit, setting)
        return body
    try:
        return await until(now + READ_TIMEOUT_S, _read(receive, limit, setting))
    except DeadlinePassed:
        raise HttpError(408, f"The body did not arrive within {READ_TIMEOUT_S:g} s.") from None


async def _read(receive: Receive, limit: int, setting: str) -> bytes:
    body: bytes = b""
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise ClientGone("The client left before its request was complete.")
        body += event.get("body", b"")
        if len(body) > limit:
            raise too_large(limit, setting)
        if not event.get("more_body", False):
            return body


def too_large(limit: int, setting: str) -> HttpError:
    return HttpError(413, f"The body has more than {limit} bytes (limits.{setting}).")


def decode_json(decoder: "msgspec.json.Decoder[T]", body: bytes) -> T:
    """Read a body as the decoder's type; an empty one counts as an empty object.

    Raises:
        HttpError: 400, saying what is wrong and where.
    """
    try:
        return decoder.decode(body or b"{}")
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at ")
        place = path.strip("`").removeprefix("$").removeprefix(".")
        raise HttpError(400, f"{place}: {text}." if place else f"The body does not fit: {text}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HttpError(400, f"The body is not valid JSON: {error}.", code="INVALID_JSON") from None
    except RecursionError:
        raise HttpError(400, "The body is nested too deeply.", code="INVALID_JSON") from None
