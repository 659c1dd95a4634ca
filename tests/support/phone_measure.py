"""`python -m support.phone_measure TIMES CALLS`: what the bridge takes on Android's framework, for the benchmarks.

Prints `DISCOVERY {"ms": [...]}`, one figure for each bridge that looks for the apps, and `CALLS {"ms": [...]}`.
"""

import asyncio
import json
import sys

from support import android_phone
from support.phone_packs import app, lamp, tool

APPS = 20
TOOLS = 20


async def main(times: int, calls: int) -> None:
    """Measure and print."""
    async with android_phone.running(java_options=()) as phone:
        packs = [
            app(f"com.example.meter{n}", f"Meter {n}", *(tool(f"value_{m}") for m in range(TOOLS))) for n in range(APPS)
        ]
        for pack in packs:
            await phone.do("install", pack=pack)
        names = [pack["package"] for pack in packs]
        _say("DISCOVERY", await phone.do("measure_discovery", packages=names, tools=TOOLS, times=times))
        await phone.switch_off()
        pack = lamp()
        await phone.do("install", pack=pack)
        _say("CALLS", await phone.do("measure_calls", package=pack["package"], tool="lamp__state", times=calls))


def _say(word: str, figures: list[float]) -> None:
    print(word, json.dumps({"ms": figures}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
