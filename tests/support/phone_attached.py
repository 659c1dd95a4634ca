"""A device or emulator over adb as scenarios see it: the APKs of `make apk`, touched on the screen as an owner does.

Nothing is attached where this project's own builds run, so this module has been type-checked there and no more. It
takes a phone only when neither the bridge nor Notes is on it, and removes both at the end.
"""

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cetp_gateway.server.door.pairing_link import read_pairing_link
from support.phone_kind import Behaviour, PhoneKind, ScenarioPhone
from support.phone_packs import NOTES, NOTES_TO_WRITE, PackData

APKS = Path(__file__).parents[2] / "build" / "apk"
BRIDGE = "org.cetp.bridge"
ADB_S = 60.0
SCREEN_S = 20.0
LOOKS_S = 0.5
"""Between two looks at the screen: adb tells of no change."""


class AttachedPhone:
    """The one phone that is attached, with both apps installed."""

    async def pair(self, link: str) -> None:
        port = read_pairing_link(link).gateway.rpartition(":")[2]
        await adb("reverse", f"tcp:{port}", f"tcp:{port}")
        # The phone's shell takes the words apart once more.
        await adb("shell", f"am start -W -a android.intent.action.VIEW -d '{link}' {BRIDGE}")
        await press("pairing_link_pair")
        await shown("pairing_known_address")

    async def install_notes(self) -> None:
        for title, text in NOTES_TO_WRITE:
            await start(NOTES, "com.example.notes.screens.NotesActivity")
            await press("add")
            await write("title", title)
            await write("text", text)
            await press("save")
            await shown("add")
        await start(BRIDGE, "org.cetp.bridge.app.screens.StatusActivity")
        await press("link_title", "Apps|应用")
        await press("provider_allow")

    async def authorise(self, package: str) -> None:
        await adb("shell", f"am start -W -a {package}.AUTHORIZE_TOOLS {package}")
        await press("scope_full")
        await press("allow")

    async def connect(self) -> None:
        await start(BRIDGE, "org.cetp.bridge.app.screens.StatusActivity")
        await press("status_main")

    async def disconnect(self) -> None:
        await self.connect()

    async def until_connected(self) -> None:
        await start(BRIDGE, "org.cetp.bridge.app.screens.StatusActivity")
        await shown("status_headline", "Connected.*|已连接.*")

    async def until_it_asks_to_pair_again(self) -> None:
        await start(BRIDGE, "org.cetp.bridge.app.screens.StatusActivity")
        await shown("status_main", "Pair.*|配对.*")

    async def install(self, pack: PackData) -> None:
        pytest.skip(f"an attached phone has only the real apps, and not {pack['label']}")

    async def update(self, pack: PackData) -> None:
        await self.install(pack)

    async def remove(self, package: str) -> None:
        await adb("uninstall", package)

    async def misbehave(self, package: str, how: Behaviour) -> None:
        pytest.skip(f"{package} on an attached phone does not {how} when it is told to")

    async def called(self, package: str) -> None:
        pytest.skip(f"{package} on an attached phone does not tell of its calls")


async def adb(*words: str) -> str:
    """Run adb to its end; what it printed. Raises AssertionError when it failed, TimeoutError when it hangs."""
    process = await asyncio.create_subprocess_exec(
        "adb", *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        said = (await asyncio.wait_for(process.communicate(), ADB_S))[0].decode(errors="replace")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, f"adb {words[0]}: {said}"
    return said


async def start(package: str, screen: str) -> None:
    """Open a screen of an app."""
    await adb("shell", f"am start -W -n {package}/{screen}")


async def shown(part: str, words: str = "") -> ElementTree.Element:
    """Wait until a part of the screen is there, with these words (a regular expression) if any."""
    async with asyncio.timeout(SCREEN_S):
        while True:
            screen = await adb("exec-out", "uiautomator", "dump", "/dev/tty")
            found = _part(screen, part, words)
            if found is not None:
                return found
            await asyncio.sleep(LOOKS_S)


async def press(part: str, words: str = "") -> None:
    """Touch the middle of a part of the screen."""
    left, top, right, bottom = map(int, re.findall(r"\d+", (await shown(part, words)).get("bounds", "")))
    await adb("shell", f"input tap {(left + right) // 2} {(top + bottom) // 2}")


async def write(part: str, text: str) -> None:
    """Type into a field."""
    await press(part)
    await adb("shell", f"input text '{text.replace(' ', '%s')}'")


def _part(screen: str, part: str, words: str) -> ElementTree.Element | None:
    whole = screen[screen.find("<?xml") : screen.rfind(">") + 1]
    if not whole:
        return None
    for node in ElementTree.fromstring(whole).iter("node"):
        named = node.get("resource-id", "").rpartition("/")[2] == part
        if named and (not words or re.fullmatch(words, node.get("text", ""))):
            return node
    return None


@asynccontextmanager
async def _attached(count: int) -> AsyncIterator[list[ScenarioPhone]]:
    if count > 1:
        pytest.skip("one phone is attached")
    try:
        for apk in ("bridge", "sample"):
            await adb("install", str(APKS / f"{apk}.apk"))
        yield [AttachedPhone()]
    finally:
        for package in (NOTES, BRIDGE):
            if package in await adb("shell", "pm", "list", "packages", package):
                await adb("uninstall", package)


def attached() -> PhoneKind:
    """The attached phone, or why there is none that may be used."""
    return PhoneKind("attached", _attached, _missing())


def _missing() -> str:
    if shutil.which("adb") is None:
        return "no phone is attached: adb is not installed"
    if _quickly("get-state") != "device":
        return "no phone is attached, or more than one: adb devices"
    if not all((APKS / f"{apk}.apk").is_file() for apk in ("bridge", "sample")):
        return "there are no APKs for the attached phone: make apk"
    if any(_quickly("shell", "pm", "list", "packages", package) for package in (BRIDGE, NOTES)):
        return "the attached phone has the bridge or Notes already, whose data is not for tests"
    return ""


def _quickly(*words: str) -> str:
    done = subprocess.run(
        ["adb", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=ADB_S, check=False
    )
    return done.stdout.strip()
