"""The virtual phone as scenarios see it: packs in place of apps, and the pairing of `cetp pair --link`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import msgspec

from cetp_gateway.errors import GatewayRefused
from cetp_gateway.phone import CallReceived, CallRefused, Pack, VirtualPhone, read_pack
from cetp_gateway.server.door.pairing_link import read_pairing_link
from support.phone_kind import Behaviour, PhoneKind, ScenarioPhone
from support.phone_packs import PackData, notes
from support.phones import HASTY, SOON, WITHIN_S, Ear

HANGS_MS = 600_000
HUGE_CHARS = 2_000_000


class VirtualScenarioPhone:
    """A virtual phone that exists as soon as it is paired."""

    def __init__(self, device_id: str) -> None:
        self._device_id = device_id
        self._packs: dict[str, PackData] = {}
        self._ear = Ear()
        self._phone: VirtualPhone | None = None
        self._running: asyncio.Task[None] | None = None
        self._target = ("", "")

    async def pair(self, link: str) -> None:
        said = read_pairing_link(link)
        async with httpx.AsyncClient(trust_env=False, timeout=WITHIN_S) as http:
            body = {"device_name": self._device_id}
            answer = await http.post(f"{said.gateway}/pair", headers={"x-pairing-code": said.code}, json=body)
        self._target = (said.gateway, answer.raise_for_status().json()["token"])
        await self.connect()

    async def install_notes(self) -> None:
        await self.install(notes())

    async def install(self, pack: PackData) -> None:
        self._packs[pack["package"]] = pack
        if self._phone is not None:
            self._phone.install(_read(pack))

    async def update(self, pack: PackData) -> None:
        self._packs[pack["package"]] = pack
        self._there.update(_read(pack))

    async def remove(self, package: str) -> None:
        del self._packs[package]
        self._there.uninstall(package)

    async def authorise(self, package: str) -> None:
        asked = await self._ear.hear(CallRefused, like=lambda refused: refused.code == "AUTH_REQUIRED")
        assert asked.intent.startswith(package)
        self._there.authorise(package)

    async def misbehave(self, package: str, how: Behaviour) -> None:
        self._there.update(_read(_behaving(self._packs[package], how)))

    async def called(self, package: str) -> None:
        label = self._packs[package]["label"].lower()
        await self._ear.hear(CallReceived, like=lambda call: call.tool.startswith(f"{label}__"))

    async def connect(self) -> None:
        url, token = self._target
        self._phone = VirtualPhone(
            url,
            token,
            map(_read, self._packs.values()),
            self._device_id,
            self._device_id,
            listener=self._ear,
            limits=HASTY,
            policy=SOON,
        )
        self._running = asyncio.create_task(self._phone.run(), name=self._device_id)

    async def disconnect(self) -> None:
        self._there.stop()
        assert self._running is not None
        await asyncio.wait_for(self._running, WITHIN_S)

    async def until_connected(self) -> None:
        await self._there.until_registered()

    async def until_it_asks_to_pair_again(self) -> None:
        assert self._running is not None
        with suppress(GatewayRefused):
            await asyncio.wait_for(self._running, WITHIN_S)
            raise AssertionError("the phone ended without a word")

    async def end(self) -> None:
        """Switch it off, whatever state it is in."""
        if self._phone is not None and self._running is not None:
            self._phone.stop()
            await asyncio.wait([self._running], timeout=WITHIN_S)

    @property
    def _there(self) -> VirtualPhone:
        assert self._phone is not None, "the phone has not been paired yet"
        return self._phone


def _read(pack: PackData) -> Pack:
    return read_pack(msgspec.json.encode(pack))


def _behaving(pack: PackData, how: Behaviour) -> PackData:
    """What the bridge would make of such an app: it answers for a dead one, and waits for a silent one."""
    changes: dict[Behaviour, dict[str, Any]] = {
        Behaviour.WELL: {},
        Behaviour.CRASH: {
            "replies": [{"error": {"code": "INTERNAL_ERROR", "message": "the app ended during the call"}}]
        },
        Behaviour.HANG: {"delay_ms": HANGS_MS},
        Behaviour.HUGE: {"replies": [{"data": "x" * HUGE_CHARS}]},
    }
    return pack | {"tools": [tool | changes[how] for tool in pack["tools"]]}


@asynccontextmanager
async def _virtual_phones(count: int) -> AsyncIterator[list[ScenarioPhone]]:
    phones = [VirtualScenarioPhone(f"virtual-{number}") for number in range(1, count + 1)]
    try:
        yield list(phones)
    finally:
        for phone in phones:
            await phone.end()


VIRTUAL = PhoneKind("virtual", _virtual_phones)
