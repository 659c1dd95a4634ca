"""Settings of what runs by itself at its time: `[schedules]`."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.settings.values import Count, Seconds, Section

Age = Annotated[float, Meta(ge=0, le=31 * 86_400)]
"""Seconds, up to a month."""


class ScheduleSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Prompts that run at their time, and where their results go."""

    enabled: bool = True
    """False: nothing runs by itself; schedules are kept and can be run by hand."""
    time_zone: str = ""
    """IANA name, such as Europe/Berlin, for schedules that name none; empty takes this machine's."""
    max_schedules: Count = 100
    """Schedules that still have something to do; as many one-time ones are kept that have run."""
    max_runs_kept: Count = 50
    """Ended runs kept of each schedule."""
    runs_at_once: Count = 4
    """Turns of schedules that run side by side; further ones wait."""
    run_timeout_s: Seconds = 900.0
    """The turn of a run is stopped after so long; what was said by then is kept."""
    start_delay_s: Age = 20.0
    """Pause after the gateway's start before anything runs, for phones to come back."""
    wait_for_device_s: Age = 14_400.0
    """How long a run waits for a device that it wants, unless its schedule says otherwise; then it runs without, and
    says since when the device has been away."""
    max_age_s: Age = 86_400.0
    """A run that was missed while the gateway was down is made up for unless it was due longer ago than this."""
    prompt_chars: Count = 8000
    """Characters of a schedule's prompt."""
    webhook_secret: str = ""
    """Signs what is sent to a schedule's webhook (Standard Webhooks): `whsec_` with base64 behind it, or any text of at
    least 24 characters. Without it no schedule may have a webhook."""
    webhook_secret_file: str = ""
    """The file that holds the secret in one line; see model.api_key_file."""
    webhook_private_addresses: bool = False
    """True lets webhooks reach this machine and its own network."""
    webhook_attempts: Count = 6
    """Tries to deliver one result, with growing pauses between them."""
    webhook_timeout_s: Seconds = 15.0
    """For one try."""
