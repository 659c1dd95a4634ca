"""A provider pack: one app of the virtual phone as data. `pack.schema.json` tells authors the same.

Values only; reading and checking a file is the work of `loading`, behaving like the app that of `provider`.
"""

from typing import Any

import msgspec

from cetp_gateway.phone.conditions import Record
from cetp_gateway.phone.query import Query


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything in a pack: a key that nobody knows is a mistake."""


class Failure(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reply of status error (spec 6). Texts may name arguments as `{name}`."""

    code: str
    message: str
    hint: str = ""
    intent: str = ""
    """Android action that opens the provider's own screen."""


class Authorisation(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every call is answered AUTH_REQUIRED with these words until the user has authorised the app."""

    message: str
    hint: str = ""
    intent: str = ""


class Reply(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to answer; exactly one of query, data, text and error is set."""

    when: dict[str, Any] = {}
    """Arguments that must have exactly these values; none fits every call."""
    delay_ms: int = 0
    query: Query | None = None
    none: Failure | None = None
    """What is said when the query finds nothing; without it the answer is an empty page."""
    data: Any = msgspec.UNSET
    """Any JSON; its texts may name arguments as `{name}` and days as `{today-1}`."""
    text: str | None = None
    """Sent as it is, JSON or not."""
    error: Failure | None = None


class PackTool(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool as its provider lists it. Names and schemas may be bad on purpose: that is what gateways must bear."""

    name: str
    description: str | None = None
    parameters: Any = msgspec.UNSET
    """JSON Schema, or whatever a careless app sends."""
    delay_ms: int = 0
    """Time that the app takes for each call."""
    replies: tuple[Reply, ...] = ()
    """The first one whose `when` fits answers."""


class Scope(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One range of data that a provider names in its info."""

    name: str
    description: str = ""


class Info(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What get_provider_info answers."""

    provider_name: str
    description: str
    scopes: tuple[Scope, ...] = ()


class Pack(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One installed app."""

    schema_: str = msgspec.field(default="", name="$schema")
    package: str
    """Android package name; unique on a phone."""
    label: str
    """The app's name for people."""
    version: str = "1.0"
    """The app's own version."""
    info: Info | None = None
    """Without it, get_provider_info is answered TOOL_NOT_FOUND, as by an app that lacks the method."""
    authorisation: Authorisation | None = None
    data: dict[str, list[Record]] = {}
    """Tables that queries ask. Texts may hold days such as `{today+2}` and `{monday-7}`."""
    tools: tuple[PackTool, ...] = ()
