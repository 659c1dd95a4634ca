"""What became of one tool call: the only way in which a tool, a phone or a hook answers."""

import msgspec

from cetp_gateway.api.origin import Origin


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """The tool ran and said this. `output` is text, most often holding JSON; it is passed on unchanged."""

    output: str
    origin: Origin | None = None
    """Whose words these are, when a tool passes on others' and `ToolSpec.origin` cannot say whose."""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The tool or its provider said no. `code` is one of CETP's six (spec 6) or a provider's own."""

    code: str
    message: str
    hint: str = ""
    """What the user can do about it (`resolution_hint`); empty when nothing was said."""
    authorize_intent: str = ""
    """Android action that opens the provider's own screen; empty when none was given."""
    origin: Origin | None = None
    """As with Answered: a reason may quote others."""


class ArgumentProblem(msgspec.Struct, frozen=True):
    """One way in which arguments do not fit: a JSON pointer (RFC 6901) and a sentence."""

    pointer: str
    message: str


class InvalidArguments(msgspec.Struct, frozen=True, tag="invalid_arguments"):
    """The arguments do not fit the tool's schema; the tool was not asked."""

    problems: tuple[ArgumentProblem, ...]


class TimedOut(msgspec.Struct, frozen=True, tag="timed_out"):
    """No answer before the deadline. The call may have run."""

    after_s: float


class DeviceGone(msgspec.Struct, frozen=True, tag="device_gone"):
    """The device's socket ended before it answered. The call may have run."""

    device: str


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled"):
    """The turn or request that wanted the answer was aborted."""


class Denied(msgspec.Struct, frozen=True, tag="denied"):
    """A hook forbade the call; the tool was not asked."""

    reason: str
    by: str
    """Name of the hook."""


class UnknownTool(msgspec.Struct, frozen=True, tag="unknown_tool"):
    """No tool has this name; `nearest` are known names that look like it, or that it may stand for."""

    name: str
    nearest: tuple[str, ...] = ()


Outcome = Answered | Refused | InvalidArguments | TimedOut | DeviceGone | Cancelled | Denied | UnknownTool
