"""Settings of reading the settings again while the gateway runs: `[reload]`."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.settings.values import Section


class ReloadSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes of the settings file take effect without a restart."""

    watch_s: Annotated[float, Meta(ge=0, le=3600)] = 2.0
    """Between two looks at the settings file and at files with secrets; 0 leaves it to SIGHUP and `cetp reload`."""
