"""What the checks are given to look at. Values only."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.settings import Settings, SettingsSource


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """A gateway that answers at the address of the settings, and what it says."""

    url: str
    version: str
    health: Mapping[str, Any]
    """`GET /api/health`."""
    status: Mapping[str, Any]
    """`GET /api/status`."""
    paired: Sequence[Mapping[str, Any]] | None
    """`GET /admin/devices`; None when the gateway is on another machine."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One gateway: its files, its settings, and itself when it runs."""

    source: SettingsSource
    data_folder: Path
    settings: Settings
    """The defaults when they cannot be used."""
    trouble: str
    """Why they cannot be used; empty when they can."""
    offline: bool
    """Nothing on the network is asked."""
    running: Running | None
