"""What the end of a connection means: try again, or stop and say what to do. Plain functions of codes.

Close codes: RFC 6455 section 7.4, and those of the ClawSeed wire protocol as this project's gateway uses them.
"""

import ssl
from http import HTTPStatus

import msgspec
from websockets.exceptions import InvalidHandshake, InvalidStatus

from cetp_gateway.errors import CetpError, GatewayRefused, GatewayUnreachable

PAIR = "pair this device with `cetp pair` on the gateway's machine and use the new token"


class Ending(msgspec.Struct, frozen=True):
    """How one connection ended, or why there was none."""

    reason: str
    final: bool = False
    """True: another attempt would not help."""
    failure: CetpError | None = None
    """What is raised when the phone stops here; None for an end as it should be."""


RESTARTING = "the gateway is restarting"
PASSING = {
    1001: RESTARTING,
    1006: "the connection broke",
    1012: RESTARTING,
    4408: "the gateway gave up on a phone that does not read",
    4429: "the gateway says that the phone is too fast",
}
"""Close codes after which the phone comes back."""

FOR_GOOD = {
    4401: f"the token is no longer valid; {PAIR}",
    4403: "this device is not allowed here; ask the gateway's owner",
    4409: "another phone took over the id {device_id!r}; stop that one, or give this one an id of its own",
}
"""Close codes after which it does not, and what people can do."""


def of_close(code: int | None, reason: str, device_id: str) -> Ending:
    """The end of an open socket."""
    said = f" ({reason})" if reason else ""
    if code == 1000:
        return Ending(f"the gateway closed the connection for good{said}", final=True)
    if code in FOR_GOOD:
        return _refused(FOR_GOOD[code].format(device_id=device_id) + said, code)
    return Ending(PASSING.get(code or 1006, f"the gateway closed the connection with {code}") + said)


def of_failure(error: Exception, url: str) -> Ending:
    """Why no socket could be opened: anything that websockets' `connect` raises."""
    match error:
        case InvalidStatus():
            return _of_status(error.response.status_code, url)
        case ssl.SSLError():
            return _unreachable(f"the certificate of {url} is not trusted; use http:// on your own network")
        case TimeoutError():
            return _unreachable(f"{url} does not answer; is the address right, and the gateway running?")
        case OSError():
            return _unreachable(f"no gateway at {url}; start it with `cetp serve`, or give its address")
        case InvalidHandshake():
            return _unreachable(f"what answers at {url} is no gateway; is the port right?")
    raise error


def _of_status(status: int, url: str) -> Ending:
    match status:
        case 401:
            return _refused(f"the gateway does not know this token; {PAIR}", 401)
        case 403:
            return _refused("the gateway does not let this device in (403); ask its owner", 403)
        case 404:
            return _refused(f"something else answers at {url} (404); is the address right?", 404)
    phrase = next((f" ({known.phrase})" for known in HTTPStatus if known == status), "")
    return _unreachable(f"the gateway answers {status}{phrase}")


def _refused(reason: str, status: int) -> Ending:
    return Ending(reason, final=True, failure=GatewayRefused(reason, status=status))


def _unreachable(reason: str) -> Ending:
    return Ending(reason, failure=GatewayUnreachable(reason))
