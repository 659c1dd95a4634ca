"""Tells a schedule's webhook how a run ended: signed JSON, tried again when that may help.

Above: run_keeper. Below: signature, target, clock.
"""

import logging
from functools import partial
from typing import Final

import msgspec

from cetp_gateway.api import Schedule, ScheduleRun
from cetp_gateway.schedules.clock import Clock, sleep
from cetp_gateway.schedules.signature import key_of, signed_headers
from cetp_gateway.schedules.target import NoAddress, NotAllowed, resolve
from cetp_gateway.settings.schedules import ScheduleSettings

_log = logging.getLogger(__name__)

DELIVERED: Final = "delivered"
_LONGEST_PAUSE_S: Final = 300
_WORTH_ANOTHER_TRY: Final = frozenset({408, 409, 425, 429})


class _NotDelivered(Exception):
    """One try has failed; `final` when another would too."""

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class _Event(msgspec.Struct, frozen=True):
    type: str
    timestamp: str
    data: dict[str, object]


class Outgoing:
    """Sends; raises SettingsError when the secret cannot be used."""

    def __init__(self, settings: ScheduleSettings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._key = key_of(settings.webhook_secret)

    @property
    def can_sign(self) -> bool:
        return bool(self._key)

    async def tell(self, schedule: Schedule, run: ScheduleRun) -> str:
        """What became of it: `delivered`, or why not."""
        # 7 ms, and httpx below 60 ms, which a gateway without webhooks does not need.
        import tenacity  # noqa: PLC0415

        body = msgspec.json.encode(_event(schedule, run))
        tries = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, _NotDelivered) and not error.final),
            stop=tenacity.stop_after_attempt(self._settings.webhook_attempts),
            wait=tenacity.wait_exponential_jitter(multiplier=5, max=_LONGEST_PAUSE_S, jitter=5),
            sleep=partial(sleep, self._clock),
            reraise=True,
        )
        try:
            await tries(self._send, schedule.webhook, f"{schedule.id}-{run.id}", body)
        except _NotDelivered as error:
            _log.warning("the webhook of schedule %s was not told: %s", schedule.id, error)
            return f"failed: {error}"
        return DELIVERED

    async def _send(self, url: str, message_id: str, body: bytes) -> None:
        import httpx  # noqa: PLC0415

        if not self._key:
            raise _NotDelivered("there is no secret to sign with (schedules.webhook_secret).", final=True)
        try:
            target = await resolve(url, private=self._settings.webhook_private_addresses)
        except (NotAllowed, NoAddress) as error:
            raise _NotDelivered(str(error), final=isinstance(error, NotAllowed)) from None
        headers = signed_headers(self._key, message_id, int(self._clock.now().timestamp()), body)
        headers |= {"content-type": "application/json", "host": target.host}
        timeout_s = self._settings.webhook_timeout_s
        async with httpx.AsyncClient(timeout=timeout_s, trust_env=False) as client:
            try:
                # The answer's body is of no interest, and may be endless.
                async with client.stream(
                    "POST", target.url, content=body, headers=headers, extensions={"sni_hostname": target.name}
                ) as answer:
                    _check(answer.status_code)
            except httpx.HTTPError as error:
                raise _NotDelivered(f"no answer ({type(error).__name__}).") from None


def _check(status: int) -> None:
    if not 200 <= status < 300:
        final = 300 <= status < 500 and status not in _WORTH_ANOTHER_TRY
        raise _NotDelivered(f"it answered with status {status}.", final=final)


def _event(schedule: Schedule, run: ScheduleRun) -> _Event:
    ended = run.ended_at or run.queued_at
    return _Event(
        "schedule.run.ended",
        ended.isoformat(),
        {
            "schedule_id": schedule.id,
            "schedule": schedule.name,
            "run_id": run.id,
            "status": run.status,
            "session_id": schedule.session_id,
            "due_at": run.due_at,
            "begun_at": run.begun_at,
            "ended_at": run.ended_at,
            "note": run.note,
            "output": run.output,
            "error": run.error,
        },
    )
