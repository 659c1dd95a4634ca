"""A host with our link, run as a program: `python pipe_host_program.py AGENT…`. Its log goes to standard error."""

import asyncio
import logging
import sys

from cetp_gateway.pipe import Command, Done, Ended, HostLink


class Page:
    supported = frozenset({"getPage"})

    async def execute(self, command: Command) -> Ended:
        return Done({"url": "", "title": command.action, "origin": ""})


async def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    end = await HostLink(sys.argv[1:], Page()).run()
    return 0 if end.state == "ended" else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
