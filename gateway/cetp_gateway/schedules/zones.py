"""Time zones by their IANA names, and this machine's own."""

from zoneinfo import ZoneInfo

from cetp_gateway.errors import ScheduleRefused


def zone_named(name: str) -> ZoneInfo:
    """The zone of this name; ScheduleRefused when there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ScheduleRefused(
            f"time_zone: {name[:64]!r} is no IANA name of a time zone, such as Europe/Berlin, Asia/Shanghai or UTC."
        ) from None


def local_zone() -> str:
    """The name of this machine's zone; UTC when it does not say."""
    # Only needed when a schedule is made.
    from tzlocal import get_localzone_name  # noqa: PLC0415

    try:
        return get_localzone_name() or "UTC"
    except (KeyError, ValueError, OSError):
        return "UTC"
