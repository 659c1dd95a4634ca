"""One time, as people say it: ISO 8601, or words that `dateparser` knows, in English and Chinese.

`dateparser` guesses: of "tomorrow at 9" it would take the day and keep the present minute. So common words are brought
into a form that it reads rightly, and every text is read twice, as of two times of the day: what says a time of day
gives the same time twice, what says a length gives two times equally far away, and anything else is refused.
Plain functions of values.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from cetp_gateway.errors import ScheduleRefused

FARTHEST: Final = timedelta(days=5 * 366)
MAX_CHARS: Final = 100
_SHIFT: Final = timedelta(minutes=7)

_DIGITS: Final = "〇一二三四五六七八九"
_NUMERAL: Final = re.compile(
    r"(?<![期周])(?:([二三四五]?)十([一二三四五六七八九]?)|([一二三四五六七八九两]))(?=[点时分小个天周秒月])"
)
_LEFT_OVER: Final = re.compile(r"(?<![期周])[一二三四五六七八九十两百千万]")
_REWRITES: Final = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (r"(?<=[a-z]) +at +(?=\d)", " "),
        (r"^at +", ""),
        (r"\bnoon\b", "12:00"),
        (r"\bmidnight\b", "0:00"),
        (r"\btonight\b", "today"),
        (r"\bhalf an hour\b", "30 minutes"),
        (r"(?<![\d:.-])(\d{1,2})$", r"\1:00"),
        (r"半(?:个)?小时", "30分钟"),
        (r"个(?=小时|月|星期)", ""),
        (r"(?<=\d) +(?=[点时分小天周秒])", ""),
        (r"(\d{1,2})[点时]半", r"\1:30"),
        (r"(\d{1,2})[点时](\d{1,2})分?", r"\1:\2"),
        (r"(\d{1,2})(?:点钟?|时(?!间))整?", r"\1:00"),
        (r"今晚|今天晚上", "今天下午"),
        (r"(明天|后天)晚上", r"\1下午"),
        (r"早上|早晨", "上午"),
    )
)
_CLOCK: Final = re.compile(r"\d{1,2}:\d{2}|\d ?[ap]\.?m\b")
_LENGTH: Final = re.compile(
    r"\d.*(?:sec|min|hour|day|week|month|year)|an? (?:hour|minute|day|week|month)|\d(?:秒|分|小时|天|周|星期|月|年)"
)


def read_moment(text: str, zone: ZoneInfo, now: datetime) -> datetime:
    """The time that a text means, UTC.

    A wall clock's time that the clock jumps over is moved behind the gap by the gap's length; one that comes twice
    means the first. Lengths ("in 1 day") count elapsed time.

    Raises:
        ScheduleRefused: it cannot be understood for sure, is past, or is more than five years away.
    """
    if len(text) > MAX_CHARS:
        raise ScheduleRefused(f"when: {MAX_CHARS} characters at most.")
    moment = _iso(text, zone) or _words(text, zone, now)
    if moment is None:
        raise ScheduleRefused(
            f"when: {text!r} is not understood. Give a cron expression such as '0 9 * * 1-5', a time such as "
            "'2030-04-01 09:00' or 'tomorrow at 9:00', or a length such as 'in 20 minutes'."
        )
    if moment <= now:
        raise ScheduleRefused(f"when: {text!r} is past: it means {moment.astimezone(zone):%Y-%m-%d %H:%M %Z}.")
    if moment - now > FARTHEST:
        raise ScheduleRefused(f"when: {text!r} is more than five years away.")
    return moment


def _iso(text: str, zone: ZoneInfo) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) <= len("2030-04-01"):
        raise ScheduleRefused(f"when: {text!r} says no time of day; write {text}T09:00 for instance.")
    return _utc(moment, zone)


def _words(text: str, zone: ZoneInfo, now: datetime) -> datetime | None:
    plain = _rewritten(text)
    if _LEFT_OVER.search(plain):
        return None
    local = now.astimezone(zone).replace(tzinfo=None)
    # Within the same day, so that "today" stays the same.
    later = _SHIFT if (local + _SHIFT).date() == local.date() else -_SHIFT
    first, second = _parsed(plain, local), _parsed(plain, local + later)
    if first is None or second is None:
        return None
    if first == second:
        return _utc(first, zone) if _CLOCK.search(plain) else None
    if second - first == later and _LENGTH.search(plain) and not _CLOCK.search(plain):
        return now + (first - local)
    # A clock's time without a day is the next one: it may have come between the two.
    return _utc(first, zone) if _CLOCK.search(plain) and abs(second - first) == timedelta(days=1) else None


def _rewritten(text: str) -> str:
    plain = " ".join(text.lower().split())
    plain = _NUMERAL.sub(_number, plain)
    for pattern, replacement in _REWRITES:
        plain = pattern.sub(replacement, plain)
    return plain


def _number(numeral: re.Match[str]) -> str:
    tens, ones, digit = numeral.groups()
    if digit:
        return "2" if digit == "两" else str(_DIGITS.index(digit))
    return str((_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0))


def _parsed(text: str, base: datetime) -> datetime | None:
    # 30 ms and 10 MB, and the languages' words at the first text.
    import dateparser  # noqa: PLC0415

    try:
        found: datetime | None = dateparser.parse(
            text, languages=["en", "zh"], settings={"RELATIVE_BASE": base, "PREFER_DATES_FROM": "future"}
        )
    except (OverflowError, ValueError, RecursionError):
        return None
    return found


def _utc(moment: datetime, zone: ZoneInfo) -> datetime:
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except OverflowError:
        raise ScheduleRefused("when: this year is out of reach.") from None
