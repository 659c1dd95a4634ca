"""What one device's socket says, as a plain object: frames in, events out.

Knows the open calls, who the client is and what both sides can do. Knows nothing of sockets, clocks, tasks or tools'
schemas. Above: `link`. Below: `frames`, `offered`, `refusals`, `call_table`.
"""

from typing import Generic, TypeVar

from msgspec import Raw

from cetp_gateway.devices.call_table import CallTable
from cetp_gateway.devices.capabilities import NO_CAPABILITIES, Capability, granted
from cetp_gateway.devices.decode import unknown_type
from cetp_gateway.devices.events import (
    Abort,
    AnswerReceived,
    ApprovalAnswered,
    CallAnswered,
    Connected,
    Event,
    ListAsked,
    Misread,
    QuestionAnswered,
    Regenerate,
    ToolsOffered,
    ToolsWithdrawn,
    UserMessage,
)
from cetp_gateway.devices.frames import (
    AbortTurn,
    ApprovalResponse,
    AskUserResponse,
    Connect,
    Frame,
    GetRegisteredTools,
    Message,
    RegenerateAnswer,
    RegisterTools,
    ToolError,
    ToolResult,
    Unreadable,
    UnregisterTools,
)
from cetp_gateway.devices.names import DEVICE_ID, clean_name
from cetp_gateway.devices.offered import read_texts, read_tools
from cetp_gateway.devices.refusals import outcome_of
from cetp_gateway.settings.limits import LimitSettings

T = TypeVar("T")
Events = tuple[Event[T], ...]
PlainEvent = Abort | Regenerate | ListAsked | Misread

MAX_CAPABILITIES = 64
"""Names read of a client's list."""
NOTHING_ATTACHED = (b"null", b"[]")


class DeviceProtocol(Generic[T]):
    """One socket's state. `T` is what a call's caller is known by; a test takes numbers, the link takes futures."""

    __slots__ = ("_limits", "calls", "capabilities", "device_id", "device_name", "keeps_deadlines")

    def __init__(self, limits: LimitSettings, call_prefix: str) -> None:
        self._limits = limits
        self.calls: CallTable[T] = CallTable(call_prefix)
        self.device_id = ""
        self.device_name = ""
        self.capabilities = NO_CAPABILITIES
        self.keeps_deadlines = False
        """Asked for each call, and a set of enumeration members is slow to ask."""

    def receive(self, frame: Frame | Unreadable) -> Events[T]:  # noqa: PLR0911  (one for each kind of frame)
        """Take one frame; never raises. Events come in the order in which they are to be acted upon."""
        match frame:
            case ToolResult() | ToolError():
                return self._answer(frame)
            case Message():
                return self._message(frame)
            case RegisterTools():
                return self._register(frame)
            case Connect():
                return self._connect(frame)
            case UnregisterTools():
                return self._unregister(frame)
            case ApprovalResponse():
                return (self._approval(frame),)
            case AskUserResponse():
                return (self._question(frame),)
            case _:
                return (_plain_event(frame),)

    def _answer(self, frame: ToolResult | ToolError) -> Events[T]:
        if not frame.id:
            return ()
        token = self.calls.take(frame.id)
        # Late, second and made-up answers are acknowledged all the same: the ack proves receipt, not use.
        received = AnswerReceived(frame.id)
        return (received,) if token is None else (received, CallAnswered(token, outcome_of(frame)))

    def _message(self, frame: Message) -> Events[T]:
        if not frame.content.strip():
            return (Misread("EMPTY_CONTENT", '"content" must be a text that is not empty.'),)
        most = self._limits.message_chars
        if len(frame.content) > most:
            return (
                Misread("MESSAGE_TOO_LONG", f'"content" may have {most} characters at most (limits.message_chars).'),
            )
        attached = any(bytes(raw) not in NOTHING_ATTACHED for raw in (frame.files, frame.attachments))
        return (UserMessage(frame.content, frame.debug, attached),)

    def _register(self, frame: RegisterTools) -> Events[T]:
        most = self._limits.tools_per_device
        offer = read_tools(frame.tools, most)
        replace = frame.replace and Capability.UNREGISTER in self.capabilities
        offered: Event[T] = ToolsOffered(offer.tools, replace, offer.count)
        if not offer.cut:
            return (offered,)
        return (offered, Misread("TOO_MANY_TOOLS", f'Of "tools" the first {most} were read (limits.tools_per_device).'))

    def _unregister(self, frame: UnregisterTools) -> Events[T]:
        if Capability.UNREGISTER not in self.capabilities:
            return (_not_offered("unregister_tools", Capability.UNREGISTER),)
        names = read_texts(frame.names, self._limits.tools_per_device)
        if names is None:
            return (Misread("INVALID_FIELD", '"names" must be a list of tool names.'),)
        return (ToolsWithdrawn(tuple(names)),)

    def _approval(self, frame: ApprovalResponse) -> ApprovalAnswered | Misread:
        if Capability.APPROVALS not in self.capabilities:
            return _not_offered("approval_response", Capability.APPROVALS)
        if frame.decision not in ("allow", "deny"):
            return Misread("INVALID_FIELD", '"decision" must be "allow" or "deny".')
        return ApprovalAnswered(frame.id, frame.digest, frame.decision == "allow", frame.scope)

    def _question(self, frame: AskUserResponse) -> QuestionAnswered | Misread:
        if Capability.QUESTIONS not in self.capabilities:
            return _not_offered("ask_user_response", Capability.QUESTIONS)
        return QuestionAnswered(frame.request_id, frame.answer if frame.status == "answered" else None)

    def _connect(self, frame: Connect) -> Events[T]:
        problem = self._take_device_id(frame.device_id or "")
        self.device_name = clean_name(frame.device_name or "")
        self.capabilities = granted(_capabilities(frame.capabilities))
        self.keeps_deadlines = Capability.DEADLINE in self.capabilities
        connected = Connected(self.device_id, self.device_name, self.capabilities)
        return (connected,) if problem is None else (connected, problem)

    def _take_device_id(self, device_id: str) -> Misread | None:
        if not device_id or device_id == self.device_id:
            return None
        if not DEVICE_ID.fullmatch(device_id):
            return Misread("INVALID_FIELD", '"device_id" must be 1 to 128 of A-Z a-z 0-9 _ . - and was left out.')
        if self.device_id:
            return Misread("INVALID_FIELD", '"device_id" cannot change on an open socket; the first one stays.')
        self.device_id = device_id
        return None


def _not_offered(kind: str, capability: Capability) -> Misread:
    refused = unknown_type(kind)
    return Misread(refused.code, f'{refused.message} Offer "{capability}" in connect to use this one.')


def _capabilities(raw: Raw) -> list[str]:
    return read_texts(raw, MAX_CAPABILITIES) or []


def _plain_event(frame: AbortTurn | RegenerateAnswer | GetRegisteredTools | Unreadable) -> PlainEvent:
    match frame:
        case AbortTurn():
            return Abort()
        case RegenerateAnswer():
            return Regenerate(frame.debug)
        case GetRegisteredTools():
            return ListAsked()
        case Unreadable():
            return Misread(frame.code, frame.message)
