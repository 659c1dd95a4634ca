"""The world that a program gets: its folder, what else it may read, its limits. Plain values.

Above: `process`. Below: `landlock`.
"""

import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from cetp_gateway.builtin.confined.landlock import LandlockPlan, landlock_plan

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
"""Where programs and their libraries lie."""
READABLE: Final = (
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/timezone",
    "/etc/terminfo", "/etc/mime.types", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg",
    "/proc/version", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
)  # fmt: skip
READABLE_FOR_NETWORK: Final = (
    "/etc/hosts", "/etc/resolv.conf", "/run/systemd/resolve", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/ssl", "/etc/ca-certificates", "/etc/pki", "/etc/services", "/etc/protocols",
)  # fmt: skip
PATH: Final = "/usr/local/bin:/usr/bin:/bin"


class World(msgspec.Struct, frozen=True, kw_only=True):
    """What a program may use."""

    folder: Path
    """Where it starts, and may change what it likes."""
    scratch: Path | None = None
    """Its home and its temporary files; `folder` when there is none."""
    further: tuple[Path, ...] = ()
    """Folders of programs and their files besides the system's."""
    network: bool = False
    memory_bytes: int
    """Of each of its processes; 0 is no limit."""
    file_bytes: int
    """Of each file that it writes."""
    processes: int = 128


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What `launcher` reads."""

    program: str
    arguments: Sequence[str]
    script: str
    """A Python file to be run by the launcher's own interpreter instead; then `arguments` has no program in front."""
    environment: Mapping[str, str]
    folder: str
    limits: Mapping[str, int]
    namespaces: bool
    network: bool
    landlock: LandlockPlan | None


def plan_for(
    world: World, arguments: Sequence[str], *, script: str = "", seconds: float, landlock: int, namespaces: bool
) -> Plan:
    """The plan of one run.

    Args:
        world: what it may use.
        arguments: the program's absolute path and its arguments; those of a script alone.
        script: see `Plan.script`.
        seconds: processor time of each process; the time by the clock is the caller's matter.
        landlock: version of it that the system has.
        namespaces: whether the system lets a user have some of their own.
    """
    scratch = str(world.scratch or world.folder)
    network = READABLE_FOR_NETWORK if world.network else ()
    further = [str(path) for path in world.further]
    return Plan(
        program="" if script else arguments[0],
        arguments=arguments,
        script=script,
        environment=_environment(scratch, "" if script else os.path.dirname(arguments[0])),  # noqa: PTH120
        folder=str(world.folder),
        limits=_limits(world, seconds, namespaces=namespaces),
        namespaces=namespaces,
        network=world.network,
        landlock=landlock_plan(
            landlock,
            writable=(str(world.folder), scratch, "/dev/null"),
            readable=(*READABLE, *network),
            runnable=(*SYSTEM, *further),
            network=world.network,
        ),
    )


def _environment(scratch: str, program_folder: str) -> dict[str, str]:
    """Nothing of the gateway's own, which may hold keys."""
    path = PATH if program_folder in PATH.split(":") else f"{program_folder}:{PATH}".removeprefix(":")
    return {"PATH": path, "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8", "TERM": "dumb"}


def _limits(world: World, seconds: float, *, namespaces: bool) -> dict[str, int]:
    limits = {
        "RLIMIT_CPU": math.ceil(seconds) + 1,
        "RLIMIT_FSIZE": world.file_bytes,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_CORE": 0,
    }
    if world.memory_bytes and sys.platform == "linux":
        limits["RLIMIT_AS"] = world.memory_bytes
    if namespaces:
        # Counted within the namespace; elsewhere all processes of the gateway's user would count.
        limits["RLIMIT_NPROC"] = world.processes
    return limits
