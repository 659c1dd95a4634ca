"""What all handlers share: the runtime below, and what the server itself keeps in memory."""

import asyncio
from collections import Counter
from collections.abc import Callable

import msgspec

from cetp_gateway.api import Outcome
from cetp_gateway.assemble import Runtime
from cetp_gateway.server.door.attempts import Attempts
from cetp_gateway.server.door.auth import Authenticator
from cetp_gateway.server.door.local_tokens import LocalTokens
from cetp_gateway.server.door.pairing import PairingDesk
from cetp_gateway.server.model_watch import ModelWatch
from cetp_gateway.server.requests.idempotency import IdempotencyKeys
from cetp_gateway.server.requests.per_minute import PerMinute
from cetp_gateway.settings import Settings


class Doorplate(msgspec.Struct, frozen=True):
    """How a phone gets in."""

    url: str | None = None
    """`http(s)://HOST:PORT`; None when no phone can."""
    pin: str | None = None
    """`sha256/BASE64` of the gateway's key; None when authorities vouch for it, or without TLS."""
    advice: str = ""
    """What to change first; empty when nothing is in the way."""


class Service:
    """One gateway's server side.

    Args:
        runtime: the assembled gateway.
        stop: ends the process in order; called by `POST /admin/shutdown`.
        doorplate: tells how phones get in; asked for each pairing code.
    """

    def __init__(
        self, runtime: Runtime, stop: Callable[[], None], doorplate: Callable[[], Doorplate] = Doorplate
    ) -> None:
        server, limits = runtime.settings.server, runtime.settings.limits
        self.runtime = runtime
        self.stop = stop
        self.doorplate = doorplate
        self.local_tokens = LocalTokens()
        self.authenticator = Authenticator(runtime.paired, self.local_tokens, required=server.require_pairing)
        self._attempts = Attempts(allowed=limits.pairing_attempts, lockout_s=limits.pairing_lockout_s)
        self.desk = PairingDesk(self._attempts, code_life_s=limits.pairing_code_s)
        self.webhook_keys = IdempotencyKeys()
        self.webhooks = PerMinute(limits.webhooks_per_minute, "limits.webhooks_per_minute")
        self.model_watch = ModelWatch(runtime.model)
        self.call_counts: Counter[type[Outcome]] = Counter()
        """Tool calls by REST since the start, by outcome."""
        self.config_lock = asyncio.Lock()
        """One change of the settings file at a time."""
        self._model_settings = runtime.settings.model
        runtime.reloading.subscribe(self._use)

    def _use(self, settings: Settings) -> None:
        """Take over settings that have come into force; those that are read at use need nothing."""
        limits = settings.limits
        self._attempts.use(allowed=limits.pairing_attempts, lockout_s=limits.pairing_lockout_s)
        self.desk.code_life_s = limits.pairing_code_s
        self.webhooks.use(limits.webhooks_per_minute)
        if settings.model != self._model_settings:
            self._model_settings = settings.model
            self.model_watch.forget()

    @property
    def requires_pairing(self) -> bool:
        return self.runtime.settings.server.require_pairing

    def is_paired(self) -> bool:
        """Is any device paired?"""
        return len(self.runtime.paired) > 0

    def first_code(self) -> str | None:
        """The code for the very first device: one is made when pairing is required and nobody is paired."""
        if not self.requires_pairing or self.is_paired():
            return None
        return self.desk.current() or self.desk.renew()
