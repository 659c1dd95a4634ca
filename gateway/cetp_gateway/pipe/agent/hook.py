"""Binds each call of a browser's tool to the domain that its session has seen, before anybody judges or allows it.

So the question to a person and the audit trail show the call with its domain, and what was shown is what is signed.
Must be the last of the hooks: what another one would change afterwards is only shown. Above: `agent`, by api.Hook.
"""

from collections.abc import Mapping
from typing import Final

from cetp_gateway.api import Answered, CallContext, Denied, Outcome, ToolCall
from cetp_gateway.pipe.agent.browser import Browser, NotPossible

NAME: Final = "browser"
DOMAIN: Final = "expected_domain"
"""The argument that is filled in."""


class BrowserHook:
    """Implements api.Hook.

    Args:
        browser: whose order and rules hold.
        actions: by the public name of each of its tools.
    """

    name = NAME

    def __init__(self, browser: Browser, actions: Mapping[str, str]) -> None:
        self._browser = browser
        self._actions = actions

    def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        """The call with its domain; whatever a model wrote there is replaced."""
        action = self._actions.get(call.tool.name)
        if action is None:
            return call
        place = self._browser.order.enter(context.call_id, context.session_id)
        try:
            place.domain = self._browser.domain_for(action, call.arguments, context.session_id)
        except NotPossible as no:
            return Denied(str(no), NAME)
        return ToolCall(call.tool, {**call.arguments, DOMAIN: place.domain})

    def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:  # noqa: ARG002
        """Let the next one run."""
        self._browser.order.leave(context.call_id, failed=not isinstance(outcome, Answered))
