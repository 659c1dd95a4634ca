"""The tool that tells the time.

Above: `all_tools`. Below: `zones`.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.zones import ZONE, zone_of


class TimeAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where it is to be told."""

    zone: Annotated[str, ZONE] = ""


class CurrentTime(BuiltinTool[TimeAsked]):
    """Reads a clock that it is given; the machine's when none is."""

    declared = Declared(
        TimeAsked,
        name="current_time",
        effect=Effect.READS,
        description="Tells the current date, time, weekday and UTC offset, here or in a named time zone.",
    )

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> None:
        self._clock = clock

    async def run(self, asked: TimeAsked, context: CallContext) -> str:  # noqa: ARG002
        now = self._clock()
        if asked.zone:
            now = now.astimezone(zone_of(asked.zone))
        return json_text({
            "time": now.isoformat(timespec="seconds"),
            "weekday": now.strftime("%A"),
            "zone": asked.zone or now.tzname() or "",
            "unix_s": int(now.timestamp()),
        })  # fmt: skip
