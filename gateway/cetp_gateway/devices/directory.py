"""The devices that are connected now, by socket, session and device.

Of two sockets of one device the newest wins: the older is closed and can change nothing any more. Every removal
asks whether the entry is still that link's own. Above: the chat socket, health. Below: `link`.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from cetp_gateway.devices import frames_out
from cetp_gateway.devices.asgi_socket import CLOSE_GRACE_S
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.close_codes import CloseCode
from cetp_gateway.devices.flushes import Flushes
from cetp_gateway.devices.link import Link
from cetp_gateway.devices.turnstile import Turnstile
from cetp_gateway.settings.limits import LimitSettings

LEFT_KEPT = 1024
"""Names of devices that have left and whose last sign of life is remembered."""

log = logging.getLogger(__name__)


class DeviceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One connected socket, for health and lists."""

    device_id: str
    """Empty for clients that give none."""
    name: str
    owner: str
    """Id of the paired device whose token opened the socket."""
    session_id: str
    silent_s: float
    """Seconds since its last sign of life."""
    open_calls: int
    pending_messages: int
    capabilities: tuple[str, ...]


class Devices:
    """All links of the gateway."""

    def __init__(self, limits: LimitSettings) -> None:
        self.turnstile = Turnstile()
        self.flushes = Flushes()
        self._most = limits.sockets
        self._links: dict[Link, None] = {}
        self._by_session: dict[str, tuple[Link, ...]] = {}
        self._by_device: dict[tuple[str, str], Link] = {}
        self._empty = asyncio.Event()
        self._empty.set()
        self._closing: tuple[CloseCode, str] | None = None
        self._left: OrderedDict[str, datetime] = OrderedDict()

    def use(self, limits: LimitSettings) -> None:
        """Take over another number of sockets; those that are open stay."""
        self._most = limits.sockets

    def __len__(self) -> int:
        return len(self._links)

    def __iter__(self) -> Iterator[Link]:
        """All links, oldest first; the set may change while one iterates."""
        return iter(tuple(self._links))

    def add(self, link: Link) -> bool:
        """Take in a new link. False when there is no room (`limits.sockets`) or the gateway is closing: the link has
        then been closed.
        """
        refusal = self._closing
        if refusal is None and len(self._links) >= self._most:
            refusal = (CloseCode.TOO_MANY, f"{self._most} sockets are open already (limits.sockets)")
        if refusal is not None:
            link.close(*refusal)
            return False
        self._links[link] = None
        self._by_session[link.session_id] = (*self._by_session.get(link.session_id, ()), link)
        self._empty.clear()
        return True

    def identified(self, link: Link) -> None:
        """The link's client has said which device it is (`Connected`); older sockets of the same device go."""
        if not link.device_id or link.ended or link not in self._links:
            return
        key = (link.owner, link.device_id)
        older = self._by_device.get(key)
        self._by_device[key] = link
        if older is not None and older is not link:
            older.close(CloseCode.REPLACED, "replaced by a newer connection of this device")

    def remove(self, link: Link) -> None:
        """The link has ended; what belongs to a newer one stays."""
        if link not in self._links:
            return
        del self._links[link]
        rest = tuple(other for other in self._by_session[link.session_id] if other is not link)
        if rest:
            self._by_session[link.session_id] = rest
        else:
            del self._by_session[link.session_id]
        key = (link.owner, link.device_id)
        if self._by_device.get(key) is link:
            del self._by_device[key]
        if not self._links:
            self._empty.set()
        self._note_end(link)

    def left(self, name: str) -> tuple[datetime, ...]:
        """The last sign of life, UTC, of a device that has left since the start, by its own name or id in lower case;
        empty when none of this name has.
        """
        return (self._left[name],) if name in self._left else ()

    def _note_end(self, link: Link) -> None:
        if not link.device_id:
            return
        heard_at = _moment(link.heard_at)
        for name in {link.label.casefold(), link.device_id.casefold()}:
            self._left[name] = heard_at
            self._left.move_to_end(name)
        while len(self._left) > LEFT_KEPT:
            self._left.popitem(last=False)

    def of_session(self, session_id: str) -> tuple[Link, ...]:
        """The sockets of a session, oldest first."""
        return self._by_session.get(session_id, ())

    def of_device(self, owner: str, device_id: str) -> Link | None:
        """The one socket that counts as this device."""
        return self._by_device.get((owner, device_id))

    def post_to_session(self, session_id: str, frame: str) -> None:
        """Send a frame to every socket of a session."""
        for link in self.of_session(session_id):
            link.post(frame)

    def tools_changed(self, revision: int) -> None:
        """Tell those who want to know that the registry has changed."""
        frame = frames_out.tools_changed(revision)
        for link in self:
            if Capability.NOTICES in link.capabilities:
                link.post(frame)

    def close_owner(self, owner: str) -> None:
        """Close all sockets that a token has opened, since it was revoked."""
        for link in self:
            if link.owner == owner:
                link.close(CloseCode.TOKEN_REVOKED, "the token of this device was revoked")

    async def close_all(self, code: CloseCode = CloseCode.RESTART, reason: str = "the gateway is restarting") -> None:
        """Close every link and let no new one in; waits until they have ended, but for seconds only."""
        self._closing = (code, reason)
        for link in self:
            link.close(code, reason)
        try:
            async with asyncio.timeout(CLOSE_GRACE_S):
                await self._empty.wait()
        except TimeoutError:
            log.warning("%d sockets have not ended in time", len(self._links))

    def rows(self) -> list[DeviceStatus]:
        """What is connected, oldest first."""
        now = asyncio.get_running_loop().time()
        return [_status(link, now) for link in self]


def _status(link: Link, now: float) -> DeviceStatus:
    return DeviceStatus(
        device_id=link.device_id,
        name=link.label,
        owner=link.owner,
        session_id=link.session_id,
        silent_s=round(max(0.0, now - link.heard_at), 3),
        open_calls=link.open_calls,
        pending_messages=link.pending_messages,
        capabilities=tuple(sorted(link.capabilities)),
    )


def _moment(loop_time: float) -> datetime:
    return datetime.now(UTC) - timedelta(seconds=max(0.0, asyncio.get_running_loop().time() - loop_time))
