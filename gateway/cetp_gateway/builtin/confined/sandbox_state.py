"""What this system has to confine programs with, found out once by running one.

Above: `process`, and whoever tells the owner. Below: `launcher`, `landlock`.
"""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from cetp_gateway.builtin.confined.landlock import landlock_version
from cetp_gateway.builtin.confined.world import World, plan_for

LAUNCHER: Final = str(Path(__file__).with_name("launcher.py"))
_TRY_S: Final = 10.0


class SandboxState(msgspec.Struct, frozen=True):
    """How far a program is confined here."""

    landlock: int
    """Version; 0 is none: then a command can read and write whatever the gateway's user can."""
    namespaces: bool
    """False: commands see the machine's processes, and those that leave their group are found by their parent alone."""

    @property
    def files(self) -> bool:
        return self.landlock > 0

    @property
    def network(self) -> bool:
        """Whether it can be kept off: wholly by a namespace, for TCP by Landlock from version 4 on."""
        return self.namespaces or self.landlock >= 4

    def missing(self, *, network: bool = False) -> str:
        """What cannot be kept from commands here, in words for people; empty when everything can.

        Args:
            network: they may use it anyhow.
        """
        open_things = [] if self.files else ["files outside the workspace (no Landlock)"]
        if not (network or self.network):
            open_things.append("the network (no user namespaces, no Landlock of version 4)")
        return " and ".join(open_things)


@cache
def sandbox_state() -> SandboxState:
    """Blocks for some 50 ms the first time, as it starts a process."""
    return SandboxState(landlock_version(), sys.platform == "linux" and _namespaces_work())


def _namespaces_work() -> bool:
    with tempfile.TemporaryDirectory(prefix="cetp-") as folder:
        world = World(folder=Path(folder), memory_bytes=1 << 30, file_bytes=1 << 20)
        plan = plan_for(world, ["/bin/true"], seconds=_TRY_S, landlock=0, namespaces=True)
        command = [sys.executable, "-I", "-S", LAUNCHER, msgspec.json.encode(plan).decode()]
        try:
            ended = subprocess.run(command, timeout=_TRY_S, capture_output=True, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            return False
    return ended.returncode == 0
