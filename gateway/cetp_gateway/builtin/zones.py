"""Time zones by their IANA names, as models write them.

Above: the tools of time. Below: zoneinfo.
"""

import difflib
from datetime import tzinfo
from typing import Final

from msgspec import Meta

from cetp_gateway.builtin.builtin_tool import NotPossible

ZONE: Final = Meta(
    max_length=64, description="IANA time zone such as Europe/Berlin; empty is the zone of this machine."
)


def zone_of(name: str) -> tzinfo:
    """The zone of this name; raises NotPossible that names the nearest known ones."""
    # 2 ms of the gateway's start otherwise.
    from zoneinfo import ZoneInfo, available_timezones  # noqa: PLC0415

    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        known = sorted(available_timezones())
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or ["Europe/Berlin", "Asia/Shanghai", "UTC"]
        raise NotPossible(f"zone: no time zone is named {name!r}.", hint=f"Try {', '.join(near)}.") from None
