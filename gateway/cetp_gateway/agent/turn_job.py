"""What a turn needs to run: its model, tools, words and limits. Values only."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from cetp_gateway.agent.tool_offers import ToolOffers
from cetp_gateway.agent.whole_results import ResultKeeper
from cetp_gateway.api import Hook, Message, ModelProvider, ToolView, UserMessage


class TurnLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds of one turn; the settings' own names, units and defaults."""

    max_steps: int = 25
    """Model requests. The last one must answer: calls in it are not run."""
    max_history: int = 50
    """Messages sent to the model besides the system prompt."""
    result_chars: int = 24_000
    """Characters of one result shown to the model, without the marker and the wrapping."""
    tool_timeout_s: float = 30.0
    """Wait for each call of a step."""
    max_tools: int = 128
    """Tools offered in one request."""
    token_budget: int = 8000
    """Tokens of the tools of one request, estimated; with more, rarely used ones wait behind `search_tools`. 0 is no
    limit."""


class TurnJob(msgspec.Struct, frozen=True, kw_only=True):
    """One turn to be run."""

    model: ModelProvider
    tools: ToolView
    hooks: Sequence[Hook] = ()
    system: str
    """The complete system prompt."""
    history: Sequence[Message]
    """Earlier messages, oldest first."""
    user: UserMessage
    remembered: str = ""
    """Stands in front of the user's words in this turn alone; here, since a system prompt that changes would cost the
    vendors' prompt caches."""
    session_id: str
    caller: str = "agent"
    """What `CallContext.caller` says of the calls that the model asks for."""
    client: str = ""
    """By whose right; see `CallContext.client`."""
    limits: TurnLimits = TurnLimits()
    offers: ToolOffers | None = None
    """Chooses the tools of each request; None has nothing from earlier turns."""
    keeper: ResultKeeper | None = None
    """Keeps the results that are too long for the model; None loses what is cut."""
    workspace: Path | None = None
    debug: bool = False
    """Emit PromptBuilt before the first step."""

    @property
    def question(self) -> UserMessage:
        """The user's message as the model gets it."""
        return UserMessage(f"{self.remembered}\n\n{self.user.text}") if self.remembered else self.user
