"""The memory: what the settings ask for, and what a running gateway says of its own."""

from collections.abc import Sequence

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, skipped

ABOUT = "memory"


async def check_memory(case: Case) -> Sequence[Finding]:
    if case.settings.memory.backend == "none":
        return [skipped(ABOUT, "Nothing is remembered beyond a session (memory.backend).")]
    said = case.running.health.get("memory", {}) if case.running else {}
    if not said:
        return [ok(ABOUT, "It lies in the database.")]
    if not said.get("ok"):
        return [broken(ABOUT, f"The running gateway has none: {said.get('detail', '')}", "Mend that, then restart it.")]
    return [ok(ABOUT, f"The running gateway's is well (search: {said.get('search_mode', '')}).")]
