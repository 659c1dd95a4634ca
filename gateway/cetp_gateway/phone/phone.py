"""A virtual phone: apps from packs, bridged to a gateway as a real phone's bridge does it.

One loop connects, serves the link and connects again; everything else hangs below it. Prints nothing: what happens
goes to a listener.
"""

import asyncio
import re
import ssl
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from cetp_gateway.errors import GatewayUnreachable
from cetp_gateway.phone import endings
from cetp_gateway.phone.address import socket_url
from cetp_gateway.phone.backoff import DEFAULT_POLICY, BackoffPolicy, backoff
from cetp_gateway.phone.catalog import Catalog
from cetp_gateway.phone.connection import authorization, open_socket
from cetp_gateway.phone.endings import Ending
from cetp_gateway.phone.faults import Fault, FaultPlan
from cetp_gateway.phone.limits import DEFAULT_LIMITS, PhoneLimits
from cetp_gateway.phone.link import Identity, Link, Phone
from cetp_gateway.phone.listener import Connecting, Disconnected, Listener, Stopped, nobody
from cetp_gateway.phone.misbehaviour import many_tools_pack
from cetp_gateway.phone.pack import Pack
from cetp_gateway.phone.progress import Progress
from cetp_gateway.phone.provider import Today, local_today

DEVICE_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")


class VirtualPhone:
    """A phone without a phone. `async with VirtualPhone(…) as phone:` runs it meanwhile; `await run()` until its end.

    Args:
        gateway_url: `http(s)://`, `ws(s)://` or `HOST:PORT`.
        token: sent as a header, never shown; empty for a gateway without pairing.
        packs: the installed apps.
        device_id: stable over reconnects, 1 to 128 of `[A-Za-z0-9_.-]`; two phones with one id displace each other.
        device_name: for people.
        faults: misbehaviour on demand.
        plain: behave like the original client, without any extension.
        session_id: the session of the socket; a fresh one when empty.
        reconnect: False ends the phone with its first connection.
        listener: told what happens.
        limits: bounds of every wait and size.
        policy: delays between attempts.
        today: what day it is in the apps' data.
        ssl_context: how a gateway's certificate is checked; None takes the system's authorities.

    Raises:
        GatewayUnreachable: the address cannot be read.
        GatewayRefused: the token cannot be one.
        ValueError: the device id or a pack cannot be used.
    """

    def __init__(
        self,
        gateway_url: str,
        token: str = "",
        packs: Iterable[Pack] = (),
        device_id: str = "virtual-phone",
        device_name: str = "Virtual phone",
        *,
        faults: Iterable[Fault] = (),
        plain: bool = False,
        session_id: str = "",
        reconnect: bool = True,
        listener: Listener = nobody,
        limits: PhoneLimits = DEFAULT_LIMITS,
        policy: BackoffPolicy = DEFAULT_POLICY,
        today: Today = local_today,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        if not DEVICE_ID.fullmatch(device_id):
            raise ValueError(f"device id {device_id[:140]!r}: 1 to 128 of the letters A-Z a-z 0-9 _ . - are needed")
        authorization(token)
        plan = FaultPlan(faults)
        self.url = socket_url(gateway_url, session_id)
        self.catalog = Catalog(packs, today=today)
        """The installed apps."""
        if plan.many_tools:
            self.catalog.install(many_tools_pack(plan.many_tools))
        self._token = token
        self._ssl_context = ssl_context
        self._reconnect = reconnect
        self._policy = policy
        self._phone = Phone(
            identity=Identity(device_id=device_id, device_name=device_name, plain=plain),
            catalog=self.catalog,
            changed=asyncio.Event(),
            plan=plan,
            limits=limits,
            listener=listener,
            progress=Progress(),
        )
        self.catalog.watch(self._phone.changed.set)
        self._stopping = asyncio.Event()
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Connect and serve until `stop`, or until the gateway closes with 1000.

        Raises:
            GatewayRefused: the gateway turned the phone away for good.
            GatewayUnreachable: no connection, or a lost one, with `reconnect` off.
        """
        progress = self._phone.progress
        failure: Exception | None = GatewayUnreachable("the phone was cancelled")
        try:
            ending = await self._until_stopped()
            failure = ending.failure
            self._phone.listener(Stopped(reason=ending.reason))
        except Exception as error:
            failure = error
            raise
        finally:
            progress.set_ended(failure)
        if failure is not None:
            raise failure

    def stop(self) -> None:
        """End the phone: the socket closes with 1000. May be called at any time, also twice."""
        self._stopping.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.run(), name="virtual phone")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Stop, and raise what ended the phone unless the body has raised already."""
        self.stop()
        if self._task is None:
            return
        await asyncio.wait([self._task])
        failure = self._task.exception()
        if error is None and failure is not None:
            raise failure

    async def until_connected(self, within_s: float = 10.0) -> None:
        """Wait until the gateway has greeted the phone; raises TimeoutError, or what has ended the phone."""
        progress = self._phone.progress
        await progress.until(lambda: progress.connected, within_s, "connected")

    async def until_registered(self, within_s: float = 10.0) -> None:
        """Wait until the gateway holds the tools as they are now; raises TimeoutError, or what has ended the phone."""
        progress = self._phone.progress
        await progress.until(lambda: progress.registered_revision == self.catalog.revision, within_s, "registered")

    async def until_ended(self, within_s: float = 10.0) -> None:
        """Wait until the phone has stopped by itself; raises TimeoutError, or what has ended it."""
        progress = self._phone.progress
        await progress.until(lambda: progress.ended and progress.failure is None, within_s, "at its end")

    def authorise(self, package: str) -> None:
        """The user allows access to an app; ValueError when it is not installed."""
        self.catalog.provider(package).authorised = True

    def revoke(self, package: str) -> None:
        """The user withdraws the access."""
        self.catalog.provider(package).authorised = False

    def install(self, pack: Pack) -> None:
        """A new app: its tools are registered. ValueError when its package is installed already."""
        self.catalog.install(pack)

    def update(self, pack: Pack) -> None:
        """Another version of an installed app."""
        self.catalog.update(pack)

    def uninstall(self, package: str) -> None:
        """An app goes, and with it its tools."""
        self.catalog.uninstall(package)

    async def _until_stopped(self) -> Ending:
        """The loop, unless `stop` is called before it ends; closes the socket then, or gives up connecting."""
        loop = asyncio.create_task(self._keep_connected(), name="virtual phone: connections")
        stopping = asyncio.create_task(self._stopping.wait(), name="virtual phone: stop")
        try:
            await asyncio.wait([loop, stopping], return_when=asyncio.FIRST_COMPLETED)
            if loop.done():
                return loop.result()
            if self._link is not None:
                await self._link.close()
                return await loop
            return Ending("stopped")
        finally:
            loop.cancel()
            stopping.cancel()
            await asyncio.wait([loop, stopping])

    async def _keep_connected(self) -> Ending:
        delays = backoff(self._policy)
        while True:
            ending, registered = await self._connect_once()
            if ending.final or self._stopping.is_set():
                return ending
            if not self._reconnect:
                return Ending(ending.reason, final=True, failure=ending.failure or GatewayUnreachable(ending.reason))
            if registered:
                # Not at the handshake: a gateway that accepts and closes at once must not be hammered.
                delays = backoff(self._policy)
            await self._pause(ending, delays)

    async def _pause(self, ending: Ending, delays: Iterator[float]) -> None:
        delay_s = next(delays)
        self._phone.listener(Disconnected(reason=ending.reason, retry_in_s=delay_s))
        await asyncio.sleep(delay_s)

    async def _connect_once(self) -> tuple[Ending, bool]:
        """One connection from its attempt to its end, and whether a registration was accepted on it."""
        phone = self._phone
        phone.listener(Connecting(url=self.url))
        try:
            socket = await open_socket(
                self.url,
                self._token,
                phone.limits,
                notices_loss=not phone.plan.silences,
                ssl_context=self._ssl_context,
            )
        except Exception as error:  # noqa: BLE001 - of_failure raises what it does not know
            return endings.of_failure(error, self.url), False
        link = self._link = Link(socket, phone)
        try:
            async with socket:
                await link.serve()
        finally:
            self._link = None
            phone.progress.set_disconnected()
        if self._stopping.is_set():
            return Ending("stopped", final=True), link.registered
        if link.trouble:
            return Ending(link.trouble), link.registered
        return endings.of_close(socket.close_code, socket.close_reason or "", phone.identity.device_id), link.registered
