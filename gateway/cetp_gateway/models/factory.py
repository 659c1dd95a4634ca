"""What makes models: one for each provider, ours or a third party's.

Above: `factories`, `entry_points`.
"""

from collections.abc import Mapping
from typing import Protocol

from cetp_gateway.api import ModelProvider
from cetp_gateway.settings.model import ModelSettings


class ModelFactory(Protocol):
    """Makes the models of one provider."""

    @property
    def name(self) -> str:
        """As `model.provider` has it; lower case."""
        ...

    @property
    def aliases(self) -> tuple[str, ...]: ...

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        """Raises SettingsError when a setting is missing or unusable. `environment` may hold the vendor's key."""
        ...
