"""One entry of the route table: what it is called by, who may, what goes in and what comes out.

The same entry answers requests (endpoint) and describes itself (openapi), so the two cannot differ.
"""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from cetp_gateway.server.door.auth import Caller
from cetp_gateway.server.requests.headers import Headers
from cetp_gateway.server.service import Service

Body = TypeVar("Body")


NOT_BLANK = Meta(extra_json_schema={"pattern": r"\S"})
"""Describes a text that handlers refuse when it is blank."""


def matching(pattern: str) -> Meta:
    """Demands of a text that it matches as a whole; a bare `$` would let a final newline pass in Python."""
    return Meta(pattern=rf"^(?:{pattern})$(?!\n)")


class Access(StrEnum):
    """Who may call."""

    PUBLIC = "public"
    TOKEN = "token"  # noqa: S105  (a word, no token)
    """Whoever is paired; everybody while pairing is switched off."""
    LOCAL = "local"
    """A caller on this machine, without a proxy between."""


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A value outside the body. `type` both checks and describes it."""

    name: str
    where: Literal["path", "query", "header"]
    type: Any = str
    description: str = ""
    required: bool = False


class Asked(msgspec.Struct, Generic[Body], frozen=True, kw_only=True):
    """A request that has passed every check of its route."""

    service: Service
    caller: Caller
    address: str
    """The client's IP address."""
    port: int
    """The gateway's port that was called."""
    local: bool
    """See `local.is_local`."""
    headers: Headers
    parameters: dict[str, Any]
    """Checked values by the names in the route; optional ones that were not sent are missing."""
    body: Body


class Text(msgspec.Struct, frozen=True):
    """An answer that is no JSON of ours."""

    content: bytes
    content_type: bytes


Handler = Callable[[Asked[Any]], Awaitable[Any]]
"""Takes the request, gives a value of the route's response type, or raises one of our exceptions."""


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the table."""

    method: str
    path: str
    """Parameters in braces."""
    summary: str
    handler: Handler | None
    """None: served by the application itself, before the table (hot paths)."""
    access: Access = Access.TOKEN
    parameters: tuple[Parameter, ...] = ()
    request: Any = None
    """Type of the JSON body, `str` for plain text, None when none is read."""
    body_limit: Literal["body_bytes", "config_bytes"] = "body_bytes"
    """Which of the limits holds for the body."""
    responses: dict[int, Any]
    """Type of the JSON answer by status, or a tuple of types; the first is that of success. `Text` for no JSON."""
    refusals: tuple[int, ...] = ()
    """Statuses of refusals besides those that follow from access, parameters and body."""
