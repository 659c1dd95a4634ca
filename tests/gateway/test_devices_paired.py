"""Paired devices: tokens are checked without the disk, kept as digests, and can be taken back."""

import hashlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cetp_gateway.devices import PairedDevices
from cetp_gateway.errors import StorageError
from cetp_gateway.storage import MIGRATIONS, Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(tmp_path, MIGRATIONS)
    yield database
    await database.close()


@pytest.fixture
async def paired(database: Database) -> PairedDevices:
    return await PairedDevices.load(database)


def break_table(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE devices RENAME TO gone")


def mend_table(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE gone RENAME TO devices")


def all_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_a_new_device_comes_in_with_its_token_also_after_a_restart(
    database: Database, paired: PairedDevices
) -> None:
    new = await paired.pair("Pixel")
    assert new.persisted
    assert paired.authenticate(new.token) == new.device
    assert (await PairedDevices.load(database)).authenticate(new.token) == new.device


async def test_a_token_is_64_lower_case_digits_and_no_two_are_alike(paired: PairedDevices) -> None:
    tokens = {(await paired.pair("x")).token for _ in range(5)}
    assert len(tokens) == 5
    assert all(len(token) == 64 and set(token) <= set("0123456789abcdef") for token in tokens)
    assert len({device.id for device in paired.list()}) == 5


async def test_only_the_digest_of_a_token_is_stored(tmp_path: Path, paired: PairedDevices) -> None:
    token = (await paired.pair("Pixel")).token
    stored = all_bytes(tmp_path)
    assert token.encode() not in stored
    assert bytes.fromhex(token) not in stored
    assert hashlib.sha256(token.encode()).digest() in stored


async def test_a_token_is_in_no_repr(paired: PairedDevices) -> None:
    new = await paired.pair("Pixel")
    assert new.token not in repr(new)
    assert "Pixel" in repr(new)


async def test_whatever_is_no_token_is_simply_nobodys(paired: PairedDevices) -> None:
    token = (await paired.pair("Pixel")).token
    last = "0" if token[-1] != "0" else "1"
    wrong = [
        "",
        "é",
        "é" * 64,
        "\ud800" * 64,
        "\0" * 64,
        "x" * 1_000_000,
        "f" * 64,
        token[:-1] + last,
        token[:-1],
        token + "0",
        f" {token}",
        f"{token}\n",
    ]
    if token.upper() != token:
        wrong.append(token.upper())
    assert [text for text in wrong if paired.authenticate(text) is not None] == []


async def test_a_revoked_token_is_nobodys_at_once_and_after_a_restart(
    database: Database, paired: PairedDevices
) -> None:
    revoked: list[str] = []
    paired.on_revoked = revoked.append
    new, other = await paired.pair("Pixel"), await paired.pair("Tablet")
    assert await paired.revoke(new.device.id)
    assert revoked == [new.device.id]
    for store in (paired, await PairedDevices.load(database)):
        assert store.authenticate(new.token) is None
        assert store.authenticate(other.token) == other.device
        assert [device.name for device in store.list()] == ["Tablet"]


async def test_a_device_that_does_not_exist_cannot_be_revoked_or_renamed(paired: PairedDevices) -> None:
    assert not await paired.revoke("nobody")
    assert await paired.rename("nobody", "x") is None


async def test_a_pairing_that_cannot_be_stored_is_good_until_the_end_and_says_so(
    database: Database, paired: PairedDevices, caplog: pytest.LogCaptureFixture
) -> None:
    await database.write(break_table)
    new = await paired.pair("Pixel")
    assert not new.persisted
    assert paired.authenticate(new.token) == new.device
    assert new.token not in caplog.text
    await database.write(mend_table)
    assert (await PairedDevices.load(database)).authenticate(new.token) is None


async def test_a_revocation_that_cannot_be_stored_counts_now_and_is_reported(
    database: Database, paired: PairedDevices
) -> None:
    revoked: list[str] = []
    paired.on_revoked = revoked.append
    new = await paired.pair("Pixel")
    await database.write(break_table)
    with pytest.raises(StorageError):
        await paired.revoke(new.device.id)
    assert (paired.authenticate(new.token), revoked) == (None, [new.device.id])


async def test_names_are_cleaned_cut_and_never_empty(paired: PairedDevices) -> None:
    assert (await paired.pair("  my\x1b\n phone ")).device.name == "my phone"
    assert len((await paired.pair("x" * 1000)).device.name) == 64
    assert (await paired.pair("\u202e\0")).device.name == "device"


async def test_a_device_can_be_renamed(database: Database, paired: PairedDevices) -> None:
    new = await paired.pair("Pixel")
    renamed = await paired.rename(new.device.id, "Kitchen")
    assert renamed is not None
    for store in (paired, await PairedDevices.load(database)):
        assert [device.name for device in store.list()] == ["Kitchen"]
        assert store.authenticate(new.token) == renamed


async def test_the_last_sign_of_life_is_listed_at_once_and_stored_by_a_flush(
    database: Database, paired: PairedDevices
) -> None:
    new = await paired.pair("Pixel")
    assert paired.list()[0].last_seen is None
    paired.touch(new.device.id)
    seen = paired.list()[0].last_seen
    assert seen is not None
    assert seen >= new.device.paired_at.replace(microsecond=0)
    assert (await PairedDevices.load(database)).list()[0].last_seen is None
    await paired.flush()
    assert (await PairedDevices.load(database)).list()[0].last_seen == seen
    assert paired.list()[0].last_seen == seen


async def test_a_flush_that_fails_is_made_up_for_by_the_next(database: Database, paired: PairedDevices) -> None:
    new = await paired.pair("Pixel")
    paired.touch(new.device.id)
    seen = paired.list()[0].last_seen
    await database.write(break_table)
    with pytest.raises(StorageError):
        await paired.flush()
    await database.write(mend_table)
    await paired.flush()
    assert (await PairedDevices.load(database)).list()[0].last_seen == seen


async def test_signs_of_life_of_revoked_and_unknown_devices_are_dropped(
    database: Database, paired: PairedDevices
) -> None:
    new = await paired.pair("Pixel")
    paired.touch(new.device.id)
    paired.touch("nobody")
    await paired.revoke(new.device.id)
    await paired.flush()
    assert list((await PairedDevices.load(database)).list()) == []


async def test_times_have_a_zone(paired: PairedDevices) -> None:
    new = await paired.pair("Pixel")
    assert new.device.paired_at.utcoffset() is not None
