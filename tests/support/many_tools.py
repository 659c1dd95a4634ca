"""A real registry with more tools than a request may carry, and turns over it that share what turns share."""

from collections.abc import Iterable, Sequence

import msgspec

from cetp_gateway.agent import SearchTools, ToolOffers, ToolSearch, TurnJob, TurnLimits
from cetp_gateway.api import Message, ModelRequest, OfferedTool, Tool, ToolHost, ToolSpec, ToolUse, UserMessage
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from cetp_gateway.tools import ToolRegistry
from support.agent_fakes import STANDARD, TurnRun
from support.tool_hosts import Phone, a_registry
from support.tool_search_set import tools_of_twenty_apps


class ManyTools:
    """The twenty apps of the labelled set on one phone, unless told otherwise.

    Args:
        offered: what the phone offers.
        searchable: False leaves `search_tools` out.
        tools: further built-in ones.
    """

    def __init__(
        self,
        offered: Sequence[ToolSpec] | None = None,
        *,
        search: ToolSearch | None = None,
        searchable: bool = True,
        tools: Iterable[Tool] = (),
        registry: ToolRegistry | None = None,
    ) -> None:
        self.registry = registry or a_registry()
        self.search = search or ToolSearch()
        self.offers = ToolOffers(self.search)
        self.phone = Phone("phone")
        for tool in tools:
            self.registry.add(tool)
        if searchable:
            self.registry.add(SearchTools(self.search, self.registry.view))
        self.offer(self.phone, tools_of_twenty_apps() if offered is None else offered)

    def offer(self, host: ToolHost, tools: Sequence[ToolSpec]) -> None:
        self.registry.offer(host, [_offered(tool) for tool in tools], replace=True)

    async def turn(
        self,
        text: str,
        *steps: ScriptedStep,
        host: ToolHost | None = None,
        history: Sequence[Message] = (),
        session_id: str = "s",
        limits: TurnLimits = STANDARD,
    ) -> "Heard":
        """Run a turn; the last step says "Done."."""
        model = ScriptedModel([*steps, ScriptedStep(text="Done.")])
        job = TurnJob(
            model=model,
            tools=self.registry.view(host),
            system="You help.",
            history=history,
            user=UserMessage(text),
            session_id=session_id,
            limits=limits,
            offers=self.offers,
        )
        return Heard(await TurnRun(job).finish(), model.requests)


class Heard:
    """A turn that has ended, and what its model was given."""

    def __init__(self, run: TurnRun, requests: Sequence[ModelRequest]) -> None:
        self.run = run
        self.requests = requests
        self.offered = [[tool.name for tool in request.tools] for request in requests]
        """Names, for each request."""

    @property
    def history(self) -> list[Message]:
        """All messages up to the turn's end."""
        last = self.run.record.steps[-1].message
        return [*self.requests[-1].messages, last]


def calls(name: str, call_id: str = "c1", **arguments: object) -> ScriptedStep:
    """A step that asks for one call."""
    return ScriptedStep(calls=(ToolUse(call_id, name, arguments),))


def _offered(tool: ToolSpec) -> OfferedTool:
    return OfferedTool(
        name=tool.name,
        description=tool.description,
        parameters=msgspec.Raw(msgspec.json.encode(tool.parameters)),
        effect=tool.effect,
        app=tool.origin.app if tool.origin else "",
    )
