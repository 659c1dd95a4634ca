"""An agent for hosts under test: signs in on the test pages, and says on standard error what it saw.

python -m support.pipe_pages_agent DOMAIN [wait]: with `wait` it stays until the host closes the pipe.
"""

import asyncio
import sys
from typing import Any

from cetp_gateway.pipe import AgentLink, Done, take_stdio

ACTIONS = ("navigate", "click", "type", "getText")


async def main(domain: str, *, wait: bool) -> None:
    stdio = take_stdio()
    async with await AgentLink.open(stdio.input, stdio.output, ACTIONS) as link:

        async def act(action: str, **params: Any) -> None:
            ended = await link.command(action, params, domain)
            said = ended.result if isinstance(ended, Done) else ended.code
            print(f"agent: {action} {said}", file=sys.stderr, flush=True)

        await act("navigate", url=f"http://{domain}/login.html")
        await act("type", selector="[name=user]", text="ada")
        await act("type", selector="[name=password]", text="secret", submit=True)
        await act("getText", selector="h1")
        await act("click", selector="#no-such", timeout_ms=200)
        if wait:
            print("agent: waiting", file=sys.stderr, flush=True)
            await link.wait_closed()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], wait="wait" in sys.argv))
