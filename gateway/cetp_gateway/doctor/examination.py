"""Runs all checks at once, each within its time, and keeps their order.

Above: the command line. Below: `checks`, one file for each subject.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.checks.browser import check_browser
from cetp_gateway.doctor.checks.clock import check_clock
from cetp_gateway.doctor.checks.data_folder import check_data_folder
from cetp_gateway.doctor.checks.database import check_database
from cetp_gateway.doctor.checks.devices import check_devices
from cetp_gateway.doctor.checks.disk import check_disk
from cetp_gateway.doctor.checks.embeddings import check_embeddings
from cetp_gateway.doctor.checks.extras import check_extras
from cetp_gateway.doctor.checks.memory import check_memory
from cetp_gateway.doctor.checks.model import check_models
from cetp_gateway.doctor.checks.port import check_port
from cetp_gateway.doctor.checks.sandbox import check_sandbox
from cetp_gateway.doctor.checks.settings_file import check_settings
from cetp_gateway.doctor.checks.texts import check_texts
from cetp_gateway.doctor.checks.tls import check_tls
from cetp_gateway.doctor.finding import Finding, broken, warning
from cetp_gateway.settings import SECRETS, Settings

LIMIT_S: Final = 20.0
"""For one check; those that ask the network are done sooner."""
_SHORTEST_SECRET: Final = 4

Check = Callable[[Case], Awaitable[Sequence[Finding]]]

CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("settings", check_settings),
    ("data folder", check_data_folder),
    ("disk", check_disk),
    ("database", check_database),
    ("clock", check_clock),
    ("port", check_port),
    ("TLS", check_tls),
    ("model", check_models),
    ("memory", check_memory),
    ("embeddings", check_embeddings),
    ("devices", check_devices),
    ("skills", check_texts),
    ("sandbox", check_sandbox),
    ("browser", check_browser),
    ("extras", check_extras),
)


async def examine(case: Case) -> list[Finding]:
    """Everything, in a fixed order. A check that fails itself is a finding."""
    found = await asyncio.gather(*(_bounded(about, check, case) for about, check in CHECKS))
    secrets = _secrets(case.settings)
    return [_without(finding, secrets) for findings in found for finding in findings]


async def _bounded(about: str, check: Check, case: Case) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(LIMIT_S):
            return await check(case)
    except TimeoutError:
        return [
            warning(about, f"It could not be told within {LIMIT_S:g} s.", "Try again when the machine is less busy.")
        ]
    except Exception as error:  # noqa: BLE001  (one check's fault must not hide what the others have found)
        says = f"The check itself failed ({type(error).__name__})."
        return [broken(about, says, "Report it with the output of: cetp doctor --json")]


def _secrets(settings: Settings) -> tuple[str, ...]:
    values = (str(getattr(getattr(settings, section), key)) for section, key in SECRETS)
    return tuple(value for value in values if len(value) >= _SHORTEST_SECRET)


def _without(finding: Finding, secrets: Sequence[str]) -> Finding:
    """A vendor may repeat a key in its refusal; nobody else does."""
    for secret in secrets:
        if secret in finding.says or secret in finding.fix:
            finding = msgspec.structs.replace(
                finding, says=finding.says.replace(secret, "***"), fix=finding.fix.replace(secret, "***")
            )
    return finding
