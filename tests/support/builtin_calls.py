"""Built-in tools as the gateway has them: listed by the settings, called through the registry."""

import asyncio
import itertools
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.agent import run_call
from cetp_gateway.api import Answered, CallContext, InvalidArguments, Outcome, Refused
from cetp_gateway.builtin.all_tools import all_tools
from cetp_gateway.builtin.builtin_parts import BuiltinParts
from cetp_gateway.settings import Settings
from cetp_gateway.tools import ToolRegistry

_numbers = itertools.count(1)


class Builtins:
    """All built-in tools over one data folder; the workspace lies in it."""

    def __init__(self, data_folder: Path, parts: dict[str, Any] | None = None, **sections: Any) -> None:
        settings = msgspec.convert(sections, Settings)
        self.workspace = data_folder / "workspace"
        self.registry = ToolRegistry(settings.tools, settings.limits)
        for tool in all_tools(settings, BuiltinParts(data_folder=data_folder, **(parts or {}))):
            self.registry.add(tool)

    async def outcome(
        self, name: str, *, within_s: float = 20.0, workspace: Path | None = None, **given: Any
    ) -> Outcome:
        context = CallContext(
            call_id=f"call-{next(_numbers)}",
            deadline=asyncio.get_running_loop().time() + within_s,
            caller="agent",
            session_id="s",
            workspace=workspace or self.workspace,
        )
        return await run_call(name, given, tools=self.registry.view(), hooks=(), context=context)

    async def said(self, name: str, **given: Any) -> str:
        """What the tool answered."""
        outcome = await self.outcome(name, **given)
        assert isinstance(outcome, Answered), outcome
        return outcome.output

    async def value(self, name: str, **given: Any) -> Any:
        """What the tool answered as JSON."""
        return msgspec.json.decode(await self.said(name, **given))

    async def refusal(self, name: str, **given: Any) -> str:
        """Code and text of the refusal."""
        outcome = await self.outcome(name, **given)
        if isinstance(outcome, InvalidArguments):
            return "; ".join(f"{problem.pointer}: {problem.message}" for problem in outcome.problems)
        assert isinstance(outcome, Refused), outcome
        return f"[{outcome.code}] {outcome.message} {outcome.hint}".strip()
