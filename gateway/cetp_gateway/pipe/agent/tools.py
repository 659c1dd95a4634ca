"""The browser's tools: one for each action of the pipe, with its schema and its effect (pipe 8).

Looking (navigate, getText and the like) reads; click, type, select, press and back write, whatever the page makes of
them. Above: the command line. Below: `browser`, `cetp_spec.pipe`.
"""

import re
from typing import Any, Final

from cetp_gateway.api import Arguments, CallContext, Denied, Effect, Origin, Outcome, ToolSpec
from cetp_gateway.pipe.agent.browser import Browser, NotPossible
from cetp_gateway.pipe.agent.hook import DOMAIN, NAME
from cetp_gateway.pipe.agent.order import Place
from cetp_gateway.pipe.agent.outcomes import BROWSER
from cetp_spec.pipe import Action, actions, params_schema

_CAPITAL: Final = re.compile(r"(?=[A-Z])")
_EFFECTS: Final = {"reads": Effect.READS, "writes": Effect.WRITES}
_SHARED: Final = "The page is what was last seen; when it has gone elsewhere meanwhile, nothing is done."
_MORE: Final = {
    "navigate": "One page is open at a time. Call this alone, and look before you act.",
    "getText": _SHARED,
    "listElements": "Take selectors for the other tools from here. " + _SHARED,
    "getPage": "When the page has gone to another domain, this is how to look at it there.",
}


class BrowserTool:
    """Implements api.Tool for one action."""

    def __init__(self, browser: Browser, action: str) -> None:
        self.spec = _spec(action, actions()[action])
        self.action = action
        self._browser = browser

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        """Run once. The hook has bound the call; without it, it is bound here."""
        params = {key: value for key, value in arguments.items() if key != DOMAIN}
        place = self._browser.order.find(context.call_id)
        if place is None:
            place = Place(context.session_id, ())
            try:
                place.domain = self._browser.domain_for(self.action, params, context.session_id)
            except NotPossible as no:
                return Denied(str(no), NAME)
        return await self._browser.run(self.action, params, place, context)


def browser_tools(browser: Browser, wanted: list[str] | None = None) -> list[BrowserTool]:
    """A tool for each action, or for each of `wanted`, in the order of the specification."""
    return [BrowserTool(browser, action) for action in actions() if wanted is None or action in wanted]


def tool_name(action: str) -> str:
    """`getText` is `browser_get_text`."""
    return f"{BROWSER}_{_CAPITAL.sub('_', action).lower()}"


def _spec(action: str, about: Action) -> ToolSpec:
    more = _MORE.get(action, "")
    return ToolSpec(
        name=tool_name(action),
        description=f"{about.about} {more}".rstrip(),
        parameters=_parameters(action),
        effect=_EFFECTS[about.effect],
        origin=Origin(BROWSER),
    )


def _parameters(action: str) -> dict[str, Any]:
    schema = params_schema(action)
    domain = {"type": "string", "description": "Leave out: the domain of the page as last seen is filled in."}
    return schema | {"properties": schema["properties"] | {DOMAIN: domain}}
