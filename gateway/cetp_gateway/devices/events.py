"""What a device's frames mean: what the protocol makes of them, in the words of the gateway."""

from typing import Generic, TypeVar

import msgspec

from cetp_gateway.api import OfferedTool, Outcome
from cetp_gateway.devices.capabilities import Capability

T = TypeVar("T")


class Connected(msgspec.Struct, frozen=True, gc=False):
    """The client said who it is. May come again; the latest counts, but a `device_id` once given stays."""

    device_id: str
    """Empty when the client has none."""
    device_name: str
    """Empty when the client gave none; made fit to be shown."""
    capabilities: frozenset[Capability]
    """What both sides have."""


class ToolsOffered(msgspec.Struct, frozen=True, gc=False):
    """A registration; its answer is `tools_registered`. The tools' `parameters` are views into the message: copy
    what is to be kept.
    """

    tools: tuple[OfferedTool, ...]
    """In the order sent, without the entries that were no tools."""
    replace: bool
    """True: this is the whole toolset. False: add, and replace tools of the same name."""
    count: int
    """Entries received."""


class ToolsWithdrawn(msgspec.Struct, frozen=True, gc=False):
    """The device takes tools away; its answer is `tools_registered` too, with the number of `names` as the count."""

    names: tuple[str, ...]


class CallAnswered(msgspec.Struct, Generic[T], frozen=True, gc=False):
    """The first answer to an open call. Comes once per call at most."""

    token: T
    outcome: Outcome


class AnswerReceived(msgspec.Struct, frozen=True, gc=False):
    """An answer came in, wanted or not; it is acknowledged in any case."""

    id: str


class UserMessage(msgspec.Struct, frozen=True, gc=False):
    """A user message; never empty."""

    text: str
    debug: bool = False
    attachments: bool = False
    """Files or images came along. Nothing here can read them."""


class Regenerate(msgspec.Struct, frozen=True, gc=False):
    """Answer the last user message again."""

    debug: bool = False


class Abort(msgspec.Struct, frozen=True, gc=False):
    """Stop the session's running turn; its answer is `abort_ack`."""


class ListAsked(msgspec.Struct, frozen=True, gc=False):
    """The client wants `registered_tools`: the tools of this socket."""


class Misread(msgspec.Struct, frozen=True, gc=False):
    """Something in a frame cannot be used; the link has answered it with this `error`."""

    code: str
    message: str


class ApprovalAnswered(msgspec.Struct, frozen=True, gc=False):
    """A person has decided about a call; its answer is `approval_ack`."""

    id: str
    digest: str
    """As the client was told it; it must be that of the question."""
    allow: bool
    scope: str
    """As it was sent."""


class QuestionAnswered(msgspec.Struct, frozen=True, gc=False):
    """A person has answered a model's question; its answer is `ask_user_ack`."""

    id: str
    answer: str | None
    """None: the person does not want to."""


Event = (
    Connected
    | ToolsOffered
    | ToolsWithdrawn
    | CallAnswered[T]
    | AnswerReceived
    | UserMessage
    | Regenerate
    | Abort
    | ListAsked
    | ApprovalAnswered
    | QuestionAnswered
    | Misread
)
