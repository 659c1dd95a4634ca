"""The real bridge and the real sample on Android's framework, as scenarios see them."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec

from support import android_phone
from support.android_phone import AndroidPhone
from support.phone_kind import Behaviour, PhoneKind, ScenarioPhone
from support.phone_packs import NOTES, NOTES_TO_WRITE, PackData


class Seen(msgspec.Struct, frozen=True):
    """What the owner saw who was asked something."""

    title: str
    """Of the notification."""
    locked: str
    """What a locked screen shows of it."""
    seen: str
    """The arguments of the call, or the question."""
    end: str
    """What came of it, such as ALLOWED."""


class AndroidScenarioPhone:
    """One phone; see `tests/android/phone` for what its commands do."""

    def __init__(self, process: AndroidPhone) -> None:
        self._process = process

    async def pair(self, link: str) -> None:
        await self._process.do("pair", link=link)

    async def install_notes(self) -> None:
        await self._process.do("install_sample")
        for title, text in NOTES_TO_WRITE:
            await self._process.do("write_note", title=title, text=text)
        await self._process.do("allow", package=NOTES)

    async def install(self, pack: PackData) -> None:
        await self._process.do("install", pack=pack)
        await self._process.do("allow", package=pack["package"])

    async def update(self, pack: PackData) -> None:
        await self._process.do("install", pack=pack)

    async def remove(self, package: str) -> None:
        await self._process.do("remove", package=package)

    async def authorise(self, package: str) -> None:
        asked = await self._process.do("asked", package=package)
        assert asked["opens"].startswith(f"{package}/"), asked
        if package == NOTES:
            assert "CETP Bridge" in await self._process.do("authorize_sample")
        else:
            await self._process.do("authorise", package=package)
        # What the notification's button is for.
        assert await self._process.do("repeat", package=package) == "Answered"

    async def decide(self, press: str) -> Seen:
        """The owner is asked about a call, opens the notification's screen and presses `once`, `deny`, …"""
        return msgspec.convert(await self._process.do("decide", press=press), Seen)

    async def reply(self, words: str) -> Seen:
        """The owner is asked a question, and chooses the option of these words or writes them."""
        return msgspec.convert(await self._process.do("reply", words=words), Seen)

    async def misbehave(self, package: str, how: Behaviour) -> None:
        await self._process.do("behave", package=package, how=how)

    async def called(self, package: str) -> None:
        await self._process.do("called", package=package, times=1)

    async def connect(self) -> None:
        await self._process.do("connect")

    async def disconnect(self) -> None:
        await self._process.do("disconnect")
        await self._process.do("status", **{"is": "Off"})

    async def until_connected(self) -> None:
        await self._process.do("status", **{"is": "Connected"})

    async def until_it_asks_to_pair_again(self) -> None:
        stopped = await self._process.do("status", **{"is": "Stopped"})
        assert stopped["reason"] == "TOKEN_REFUSED"
        assert "Pair" in await self._process.do("problem")


class AndroidPhones:
    """Processes, started when needed; each is one phone at a time."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._idle: list[AndroidPhone] = []

    def kind(self) -> PhoneKind:
        missing = "" if android_phone.READY else "the phone has not been built: make android"
        return PhoneKind("android", self._phones, missing)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[AndroidScenarioPhone]:
        """A new, empty phone of this kind, with what only it can be asked."""
        async with self._processes(1) as (process,):
            yield AndroidScenarioPhone(process)

    @asynccontextmanager
    async def _phones(self, count: int) -> AsyncIterator[list[ScenarioPhone]]:
        async with self._processes(count) as used:
            yield [AndroidScenarioPhone(process) for process in used]

    @asynccontextmanager
    async def _processes(self, count: int) -> AsyncIterator[list[AndroidPhone]]:
        while len(self._idle) < count:
            self._idle.append(await self._stack.enter_async_context(android_phone.running()))
        used, self._idle = self._idle[:count], self._idle[count:]
        try:
            yield used
        finally:
            for process in used:
                await process.switch_off()
        self._idle.extend(used)


@asynccontextmanager
async def android_phones() -> AsyncIterator[AndroidPhones]:
    """For the length of a test module."""
    async with AsyncExitStack() as stack:
        yield AndroidPhones(stack)
