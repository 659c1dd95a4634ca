"""Landlock, the kernel's way of closing files and ports to a process (Linux 5.13 and later; landlock(7)).

Here is decided what stays open, as plain values; `launcher` hands them to the kernel. Above: `world`, `sandbox_state`.
"""

import os
import sys
from collections.abc import Iterable
from typing import Final

import msgspec

_CREATE_RULESET: Final = 444
_VERSION_FLAG: Final = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
TRUNCATE, IOCTL_DEV = 1 << 14, 1 << 15
_OF_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""Rights that a rule for a single file may name."""
_FILE_RIGHTS_BY_ABI: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many of the rights, counted from the lowest bit, a version knows; 16 from version 5 on."""
READ: Final = READ_FILE | READ_DIR
RUN: Final = READ | EXECUTE


class LandlockPlan(msgspec.Struct, frozen=True):
    """What the kernel is to be asked for."""

    handled: tuple[int, ...]
    """Rights over files, rights over TCP ports, scopes: closed unless a rule opens them."""
    rules: tuple[tuple[str, int], ...]
    """Paths, and the rights over what is beneath them."""


def landlock_version() -> int:
    """The version of Landlock that the running kernel speaks; 0 when there is none."""
    if sys.platform != "linux":
        return 0
    # 3 ms of the gateway's start otherwise.
    import ctypes  # noqa: PLC0415

    version: int = ctypes.CDLL(None, use_errno=True).syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    return max(version, 0)


def landlock_plan(
    version: int, *, writable: Iterable[str], readable: Iterable[str], runnable: Iterable[str], network: bool
) -> LandlockPlan | None:
    """Only these files, and with `network` false no TCP either; None when the kernel has no Landlock.

    Nothing that is writable can be run: what a command or a tool has written is no program.
    """
    if not version:
        return None
    all_rights = (1 << _FILE_RIGHTS_BY_ABI.get(version, 16)) - 1
    handled = [all_rights]
    if version >= 4:
        handled.append(0 if network else 3)
    if version >= 6:
        # Abstract sockets and signals reach no further than the sandbox.
        handled.append(3)
    change = all_rights & ~(EXECUTE | MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)
    rules = [
        (path, rights) for paths, rights in ((writable, change), (readable, READ), (runnable, RUN)) for path in paths
    ]
    return LandlockPlan(
        tuple(handled), tuple((path, _fitting(path, rights)) for path, rights in rules if _is_there(path))
    )


def _fitting(path: str, rights: int) -> int:
    return rights if os.path.isdir(path) else rights & _OF_FILES  # noqa: PTH112


def _is_there(path: str) -> bool:
    return os.path.exists(path)  # noqa: PTH110
