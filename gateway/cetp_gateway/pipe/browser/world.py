"""A JavaScript world beside a document's own: it sees the same document, and none of the page's scripts."""

from typing import Any

from playwright.async_api import CDPSession, Error

NAME = "cetp"
TRIES = 5
"""A page may replace its document while the world for it is being made."""


class World:
    """Of one frame, whichever document is in it."""

    def __init__(self, devtools: CDPSession, frame: str) -> None:
        self._devtools = devtools
        self._frame = frame
        # Plain ids count anew in each process, so after a change of pages one could name the page's own world.
        self._unique_id = ""
        devtools.on("Runtime.executionContextCreated", self._created)

    async def ask(self, expression: str) -> Any:
        """The value of an expression, as JSON has it; None when it throws."""
        for _ in range(TRIES - 1):
            try:
                return await self._evaluate(expression)
            except Error:
                # The document has been replaced and the world with it, or there has been none yet.
                await self._make()
        return await self._evaluate(expression)

    async def _evaluate(self, expression: str) -> Any:
        asked = {"expression": expression, "uniqueContextId": self._unique_id, "returnByValue": True}
        told = await self._devtools.send("Runtime.evaluate", asked)
        return None if "exceptionDetails" in told else told["result"].get("value")

    async def _make(self) -> None:
        await self._devtools.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": NAME})
        # All worlds are told of; only meanwhile, because the page's console would be told of too.
        await self._devtools.send("Runtime.enable")
        await self._devtools.send("Runtime.disable")

    def _created(self, event: dict[str, Any]) -> None:
        context = event["context"]
        if context["name"] == NAME and context["auxData"].get("frameId") == self._frame:
            self._unique_id = context["uniqueId"]
