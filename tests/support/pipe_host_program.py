"""A host with our link, run as a program: `python pipe_host_program.py AGENT…`. Its log goes to standard error.

In place of a browser it has a page that knows by heart what the checker's page does.
"""

import asyncio
import logging
import sys
from typing import Any

from cetp_gateway.pipe import Command, Done, Ended, Failed, HostLink


class Page:
    supported = frozenset({"navigate", "type", "click", "getText", "getPage"})

    def __init__(self) -> None:
        self._domain = ""
        self._name = ""

    async def execute(self, command: Command) -> Ended:
        if command.action == "navigate":
            self._domain = command.expected_domain
            return Done({"url": command.params["url"], "status": 200, "title": "Check"})
        if command.expected_domain != self._domain:
            return Failed("MAC_DOMAIN_MISMATCH", "the page is of another domain", {"executed": False})
        if command.action == "type":
            self._name = command.params["text"]
        result: dict[str, Any] = {"text": f"Hello {self._name}", "truncated": False}
        return Done(result if command.action == "getText" else {})


async def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    end = await HostLink(sys.argv[1:], Page()).run()
    return 0 if end.state == "ended" else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
