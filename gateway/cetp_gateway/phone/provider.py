"""One installed app: answers list_tools, execute_tool and get_provider_info as an Android provider would (spec 4, 5).

Knows nothing of the gateway: its caller is the phone, which carries Bundles over the socket.
"""

import asyncio
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import msgspec

from cetp_gateway.phone.arguments import ArgumentCheck
from cetp_gateway.phone.pack import Pack, PackTool
from cetp_gateway.phone.replies import Bundle, answer, failure, fitting_reply, no_reply, success, to_json
from cetp_spec.codes import ErrorCode

Today = Callable[[], date]


def local_today() -> date:
    """Today where this program runs."""
    return datetime.now().astimezone().date()


class Provider:
    """The app of one pack. `authorised` is what its user has decided."""

    def __init__(self, pack: Pack, *, authorised: bool = False, today: Today = local_today) -> None:
        self.pack = pack
        self.authorised = authorised
        self._today = today
        self._tools = {tool.name: tool for tool in reversed(pack.tools)}
        self._checks = {name: ArgumentCheck(tool.parameters) for name, tool in self._tools.items()}

    async def call(self, method: str, extras: Mapping[str, str]) -> Bundle:
        """ContentResolver.call: one of the contract's methods; others are answered TOOL_NOT_FOUND (spec 4.4)."""
        match method:
            case "list_tools":
                return self.list_tools()
            case "execute_tool":
                return await self.execute_tool(extras.get("tool_name", ""), extras.get("args", ""))
            case "get_provider_info":
                return self.get_provider_info()
        return failure(ErrorCode.TOOL_NOT_FOUND, f"{self.pack.package} has no method {method}")

    def list_tools(self) -> Bundle:
        """The tools as the pack describes them."""
        return success(to_json({"tools": [_listed(tool) for tool in self.pack.tools]}))

    def get_provider_info(self) -> Bundle:
        """Name, description and scopes; TOOL_NOT_FOUND from an app that lacks the method."""
        if self.pack.info is None:
            return failure(ErrorCode.TOOL_NOT_FOUND, f"{self.pack.package} has no method get_provider_info")
        return success(to_json(msgspec.to_builtins(self.pack.info)))

    async def execute_tool(self, tool_name: str, args: str) -> Bundle:
        """Run one call; `args` is JSON text. Takes the delays of the pack. May be cancelled."""
        tool = self._tools.get(tool_name)
        if tool is None:
            return failure(ErrorCode.TOOL_NOT_FOUND, f"{self.pack.package} has no tool {tool_name}")
        if self.pack.authorisation is not None and not self.authorised:
            said = self.pack.authorisation
            return failure(ErrorCode.AUTH_REQUIRED, said.message, said.hint, said.intent)
        arguments = _read(args)
        problems = ["/: not a JSON object"] if arguments is None else self._checks[tool_name].problems(arguments)
        if arguments is None or problems:
            return failure(ErrorCode.INVALID_ARGS, "the arguments do not fit: " + "; ".join(problems))
        return await self._answer(tool, self._checks[tool_name].complete(arguments))

    async def _answer(self, tool: PackTool, arguments: Mapping[str, Any]) -> Bundle:
        reply = fitting_reply(tool, arguments)
        delay_ms = tool.delay_ms + (reply.delay_ms if reply else 0)
        if delay_ms:
            await asyncio.sleep(delay_ms / 1000)
        if reply is None:
            return no_reply(tool)
        return answer(self.pack, reply, arguments, self._today())


def _read(args: str) -> dict[str, Any] | None:
    try:
        value = msgspec.json.decode(args or "{}")
    except (msgspec.DecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _listed(tool: PackTool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        entry["description"] = tool.description
    if tool.parameters is not msgspec.UNSET:
        entry["parameters"] = tool.parameters
    return entry
