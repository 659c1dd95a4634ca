"""Where a model's requests go, as far as that is known without asking. Plain functions of values."""

import os
from collections.abc import Mapping

from cetp_gateway.models import VENDORS, chosen_provider
from cetp_gateway.settings import ModelSettings


def address_of_model(settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> str:
    """The address of the first model's server; empty when there is none or it is not known."""
    if settings.base_url:
        return settings.base_url
    wanted = settings.provider.strip().lower()
    name = chosen_provider(settings, environment) if wanted == "auto" else wanted
    vendor = next((vendor for vendor in VENDORS if name in (vendor.name, *vendor.aliases)), None)
    return vendor.base_url if vendor is not None and "{" not in vendor.base_url else ""
