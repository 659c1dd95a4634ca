"""The world that commands of `run_command` are confined to."""

import asyncio
from collections.abc import Sequence
from typing import Final

from cetp_gateway.builtin.confined import sandbox_state
from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, ok, skipped, warning

ABOUT: Final = "sandbox"


async def check_sandbox(case: Case) -> Sequence[Finding]:
    missing = (await asyncio.to_thread(sandbox_state)).missing()
    if not missing:
        return [ok(ABOUT, "Commands are confined to the workspace, without the network.")]
    says = f"This system cannot keep commands from {missing}."
    if not case.settings.policy.allowed_commands:
        return [skipped(ABOUT, f"{says} No command is allowed (policy.allowed_commands), so nothing follows from it.")]
    fix = "Use a newer kernel with Landlock, or allow only commands that you would let do that."
    return [warning(ABOUT, says, fix)]
