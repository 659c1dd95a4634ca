"""A request's headers, read once."""

from starlette.types import Scope

from cetp_gateway.server.requests.errors import HttpError

Headers = dict[bytes, bytes]
"""Lower-case names; of a header that stands there twice the last one."""

# Two parties that read different ones of two equal headers can be played against each other.
_ONLY_ONCE = frozenset({b"host", b"origin", b"authorization", b"content-length", b"x-pairing-code", b"x-session-id"})


def read_headers(scope: Scope) -> Headers:
    """The headers of an HTTP request or a socket's opening request.

    Raises:
        HttpError: 400, a header that decides who may enter stands there twice.
    """
    pairs = scope["headers"]
    headers = dict(pairs)
    if len(headers) != len(pairs):
        _refuse_repeated([name for name, _ in pairs])
    return headers


def _refuse_repeated(names: list[bytes]) -> None:
    for name in _ONLY_ONCE:
        if names.count(name) > 1:
            raise HttpError(400, f"The header {name.decode()} may stand in a request only once.")
