"""`make demo-android`: the real bridge and the real sample app on Android's framework answer a question about notes.

Like `cetp demo`, but with the apps themselves in the place of the virtual phone. Leaves nothing behind.
"""

import asyncio
import logging
import sys
import tempfile
from pathlib import Path

import httpx
import msgspec
from rich.console import Console
from rich.text import Text
from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.cli.turn_printer import ENDS, TurnPrinter
from cetp_gateway.server.door.pairing_link import PairingLink
from cetp_gateway.server.serve import Gateway, gateway
from cetp_gateway.settings import load_settings
from support import android_phone
from support.android_phone import AndroidPhone
from support.phone_packs import NOTES

WRITTEN = (
    ("Library books", "The Left Hand of Darkness and A Field Guide to Lichens are due back on Friday."),
    ("Passport", "Renew it before the summer: the town hall needs a photo and the old one."),
    ("Boiler", "Serviced in March by the house's plumber; the next time is in a year."),
)
QUESTION = "What do my notes say about the library books?"
TURN_LIMIT_S = 180.0


async def main() -> bool:
    """Whether the question was answered."""
    console = Console(highlight=False)
    settings = load_settings(None, overrides={"server": {"host": "127.0.0.1", "port": 0, "require_pairing": True}})
    with tempfile.TemporaryDirectory(prefix="cetp-demo-") as folder:
        data = Path(folder)
        async with gateway(settings, data_folder=data, config_file=data / "cetp.toml") as running:
            _say(console, f"Gateway at {running.url}, model: {running.runtime.model.provider}.")
            _say(console, "Starting the phone: Android 14's framework, the bridge, and Notes with three notes.")
            async with android_phone.running() as phone:
                await _set_up(phone, running)
                _say(console, "The owner has opened a pairing link in the bridge and switched Notes on in it.")
                return await _Demo(console, phone).run(running)


async def _set_up(phone: AndroidPhone, running: Gateway) -> None:
    await phone.do("install_sample")
    for title, text in WRITTEN:
        await phone.do("write_note", title=title, text=text)
    await phone.do("allow", package=NOTES)
    async with httpx.AsyncClient(base_url=running.url, trust_env=False) as http:
        answer = (await http.post("/admin/paircode/new")).raise_for_status().json()
    await phone.do("pair", link=str(PairingLink(gateway=running.url, code=answer["pairing_code"])))
    await phone.do("status", **{"is": "Connected"})


class _Demo:
    """Asks, and is the phone's owner when Notes wants to be authorised."""

    def __init__(self, console: Console, phone: AndroidPhone) -> None:
        self._printer = TurnPrinter(console)
        self._phone = phone

    async def run(self, running: Gateway) -> bool:
        token = (await running.runtime.paired.pair("demo")).token
        url = f"{running.url.replace('http', 'ws', 1)}/ws/chat?session_id=demo&name=Demo"
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(url, additional_headers=headers, compression=None, proxy=None) as socket:
            done, refused = await self._ask(socket)
            if refused:
                await self._authorise()
                done, _ = await self._ask(socket)
            return done

    async def _authorise(self) -> None:
        asked = await self._phone.do("asked", package=NOTES)
        self._printer.note(f"(On the phone, a notification: “{asked['title']}”. It opens {asked['opens']}, which asks:")
        question = await self._phone.do("authorize_sample")
        self._printer.note(f" “{question}” The owner allows it. The question again:)")

    async def _ask(self, socket: ClientConnection) -> tuple[bool, bool]:
        """Whether it was answered, and whether an app wanted to be authorised."""
        self._printer.question(QUESTION)
        await socket.send(msgspec.json.encode({"type": "message", "content": QUESTION}).decode())
        refused = False
        async with asyncio.timeout(TURN_LIMIT_S):
            while True:
                frame = msgspec.json.decode(await socket.recv())
                self._printer.show(frame)
                refused |= frame["type"] == "tool_result" and "AUTH_REQUIRED" in frame["output"]
                if frame["type"] in ENDS:
                    return frame["type"] == "done", refused


def _say(console: Console, line: str) -> None:
    console.print(Text(line, "dim"), soft_wrap=True)


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    if not android_phone.READY:
        sys.exit("error: the phone has not been built: make android")
    sys.exit(0 if asyncio.run(main()) else 1)
