"""Paired devices: names and tokens. A token is shown once, when it is made; only its SHA-256 is kept.

Checking a token never touches the disk. Above: the server's authentication and pairing. Below: `storage`.
"""

import hashlib
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from cetp_gateway.devices.names import clean_name
from cetp_gateway.errors import StorageError
from cetp_gateway.storage import Database

TOKEN_CHARS = 64
"""Lower-case hexadecimal digits: 256 random bits."""
UNNAMED = "device"

log = logging.getLogger(__name__)


class PairedDevice(msgspec.Struct, frozen=True, kw_only=True):
    """One holder of a token."""

    id: str
    name: str
    paired_at: datetime
    last_seen: datetime | None = None


class NewDevice(msgspec.Struct, frozen=True):
    """A device that has just been paired."""

    device: PairedDevice
    token: str
    persisted: bool
    """False: the database could not be written, the token is good until the gateway ends."""

    def __repr__(self) -> str:
        """Without the token."""
        return f"NewDevice({self.device!r}, persisted={self.persisted})"


class PairedDevices:
    """All devices that may come in. Load with `PairedDevices.load`."""

    def __init__(self, database: Database, known: dict[bytes, PairedDevice]) -> None:
        self._database = database
        self._by_digest = known
        self._digests = {device.id: digest for digest, device in known.items()}
        self._seen: dict[str, float] = {}
        self.on_revoked: Callable[[str], None] = _nobody_listens
        """Told the id of a device whose token is no longer good; closes its sockets."""

    @classmethod
    async def load(cls, database: Database) -> "PairedDevices":
        """Read what is stored. Raises StorageError."""
        return cls(database, await database.read(_select))

    def __len__(self) -> int:
        return len(self._by_digest)

    def authenticate(self, token: str) -> PairedDevice | None:
        """Whose token this is. Any text may come in; all but a good token are simply nobody's.

        The look-up is by digest, so its time says nothing about a token.
        """
        if len(token) != TOKEN_CHARS:
            return None
        return self._by_digest.get(_digest(token))

    def list(self) -> Sequence[PairedDevice]:
        """All devices, oldest first."""
        devices = [
            self._with_sign(device.id, self._seen[device.id]) if device.id in self._seen else device
            for device in self._by_digest.values()
        ]
        return sorted(devices, key=lambda device: (device.paired_at, device.id))

    async def pair(self, name: str) -> NewDevice:
        """Make a device and its token; the name is cut and cleaned, and `device` when nothing is left of it."""
        token = secrets.token_hex(TOKEN_CHARS // 2)
        device = PairedDevice(id=self._new_id(), name=clean_name(name) or UNNAMED, paired_at=datetime.now(UTC))
        digest = _digest(token)
        self._put(digest, device)
        row = (device.id, device.name, digest, device.paired_at.isoformat())
        try:
            await self._database.write(_execute(_INSERT, row))
        except StorageError as error:
            log.warning("a pairing could not be stored and ends with the gateway: %s", error)
            return NewDevice(device, token, persisted=False)
        return NewDevice(device, token, persisted=True)

    async def rename(self, device_id: str, name: str) -> PairedDevice | None:
        """Give a device another name; None when there is none of this id. Raises StorageError."""
        digest = self._digests.get(device_id)
        if digest is None:
            return None
        device = msgspec.structs.replace(self._by_digest[digest], name=clean_name(name) or UNNAMED)
        await self._database.write(_execute(_RENAME, (device.name, device_id)))
        if device_id in self._digests:
            self._put(digest, device)
        return device

    async def revoke(self, device_id: str) -> bool:
        """Make a device's token worthless and close its sockets; False when there is none of this id.

        Raises:
            StorageError: the token is refused from now on, but would be good again after a restart.
        """
        digest = self._digests.pop(device_id, None)
        if digest is None:
            return False
        del self._by_digest[digest]
        self._seen.pop(device_id, None)
        self.on_revoked(device_id)
        await self._database.write(_execute(_DELETE, (device_id,)))
        return True

    def touch(self, device_id: str, *, silent_s: float = 0.0) -> None:
        """Note that a device has shown itself, now or so long ago; stored by the next `flush`. Cheap enough for every
        request.
        """
        self._seen[device_id] = max(time.time() - silent_s, self._seen.get(device_id, 0.0))

    async def flush(self) -> None:
        """Store the last signs of life. They are tried again at the next flush when this raises StorageError."""
        seen, self._seen = self._seen, {}
        for device_id in seen.keys() & self._digests.keys():
            self._put(self._digests[device_id], self._with_sign(device_id, seen[device_id]))
        rows = [(_moment(at).isoformat(), device_id) for device_id, at in seen.items()]
        if not rows:
            return
        try:
            await self._database.write(lambda connection: connection.executemany(_TOUCH, rows))
        except StorageError:
            self._seen = seen | self._seen
            raise

    def _with_sign(self, device_id: str, at: float) -> PairedDevice:
        device = self._by_digest[self._digests[device_id]]
        return msgspec.structs.replace(device, last_seen=_moment(at))

    def _put(self, digest: bytes, device: PairedDevice) -> None:
        self._by_digest[digest] = device
        self._digests[device.id] = digest

    def _new_id(self) -> str:
        while (device_id := secrets.token_hex(4)) in self._digests:
            pass
        return device_id


_INSERT = "INSERT INTO devices (id, name, token_hash, paired_at) VALUES (?, ?, ?, ?)"
_RENAME = "UPDATE devices SET name = ? WHERE id = ?"
_DELETE = "DELETE FROM devices WHERE id = ?"
_TOUCH = "UPDATE devices SET last_seen = ? WHERE id = ?"


def _execute(statement: str, values: tuple[str | bytes, ...]) -> Callable[[sqlite3.Connection], None]:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute(statement, values)

    return work


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


def _select(connection: sqlite3.Connection) -> dict[bytes, PairedDevice]:
    rows = connection.execute("SELECT id, name, token_hash, paired_at, last_seen FROM devices")
    return {bytes(row["token_hash"]): _device(row) for row in rows}


def _device(row: sqlite3.Row) -> PairedDevice:
    last_seen = row["last_seen"]
    return PairedDevice(
        id=row["id"],
        name=row["name"],
        paired_at=datetime.fromisoformat(row["paired_at"]),
        last_seen=datetime.fromisoformat(last_seen) if last_seen else None,
    )


def _digest(token: str) -> bytes:
    # "replace" turns halves of surrogate pairs into question marks, which are in no token.
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _nobody_listens(device_id: str) -> None:
    log.debug("device %s was revoked; no socket to close", device_id)
