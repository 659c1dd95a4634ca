"""The factories of the vendors in the table: where key and address come from, and whether they can be used."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from cetp_gateway.api import ModelProvider
from cetp_gateway.errors import SettingsError
from cetp_gateway.models.anthropic import AnthropicModel
from cetp_gateway.models.openai import OpenAIModel
from cetp_gateway.models.vendors import ANTHROPIC, COMPATIBLE, OPENAI, Vendor
from cetp_gateway.settings.schema import ModelSettings

ANTHROPIC_ADDRESS_VARIABLE: Final = "ANTHROPIC_BASE_URL"


class AnthropicFactory:
    """Claude."""

    name = ANTHROPIC.name
    aliases = ANTHROPIC.aliases

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        """A key is not asked for here: the first request says so when it is missing."""
        address = settings.base_url or environment.get(ANTHROPIC_ADDRESS_VARIABLE, "")
        return AnthropicModel(settings, base_url=_checked(address), key=_key(ANTHROPIC, settings, environment))


class OpenAIFactory:
    """One vendor or server that speaks the chat completions API."""

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor

    @property
    def name(self) -> str:
        return self._vendor.name

    @property
    def aliases(self) -> tuple[str, ...]:
        return self._vendor.aliases

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        """`openai` with an address of its own is any compatible server, not OpenAI with its limits."""
        vendor = COMPATIBLE if self._vendor is OPENAI and settings.base_url else self._vendor
        if not (settings.name or vendor.default_model or vendor.own_server):
            raise SettingsError(f"model.name must be set for {vendor.title}: it has no default model.")
        address = _checked(settings.base_url or vendor.base_url)
        return OpenAIModel(vendor, settings, base_url=address, key=_key(vendor, settings, environment))


def _key(vendor: Vendor, settings: ModelSettings, environment: Mapping[str, str]) -> str:
    """The settings' own key, else the vendor's variable. Blanks and line ends around it are a copying mistake."""
    found = [settings.api_key, *(environment.get(variable, "") for variable in vendor.key_variables)]
    key = next((key.strip() for key in found if key.strip()), "")
    if not key.isascii() or any(not char.isprintable() or char == " " for char in key):
        raise SettingsError("model.api_key holds characters that no key has. Copy it again.")
    return key


def _checked(address: str) -> str:
    """The address without blanks and final slashes; SettingsError when it is none."""
    address = address.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        usable = not address or (parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0)
    except ValueError:
        usable = False
    if not usable:
        raise SettingsError("model.base_url is no usable address. Write it as http://host:port/v1.")
    return address
