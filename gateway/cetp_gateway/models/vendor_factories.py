"""The factories of the vendors in the table: where key and address come from, and whether they can be used.

Each loads its client when it makes a model: a gateway uses one or two of them.
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from cetp_gateway.api import ModelProvider
from cetp_gateway.errors import SettingsError
from cetp_gateway.models.vendors import ANTHROPIC, BEDROCK, COMPATIBLE, OPENAI, Vendor
from cetp_gateway.settings.model import ModelSettings

ANTHROPIC_ADDRESS_VARIABLE: Final = "ANTHROPIC_BASE_URL"
BEDROCK_ADDRESS_VARIABLE: Final = "ANTHROPIC_BEDROCK_MANTLE_BASE_URL"
REGION_VARIABLES: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
REGION: Final = re.compile(r"[a-z]{2}(?:-[a-z]+)+-\d")


class AnthropicFactory:
    """Claude."""

    name = ANTHROPIC.name
    aliases = ANTHROPIC.aliases

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        """A key is not asked for here: the first request says so when it is missing."""
        from cetp_gateway.models.anthropic import AnthropicModel  # noqa: PLC0415

        address = settings.base_url or environment.get(ANTHROPIC_ADDRESS_VARIABLE, "")
        return AnthropicModel(settings, base_url=_checked(address), key=_key(ANTHROPIC, settings, environment))


class BedrockFactory:
    """Claude on AWS, with a Bedrock API key."""

    name = BEDROCK.name
    aliases = BEDROCK.aliases

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        """The region comes from AWS's own variables; an address that is set goes before it."""
        from cetp_gateway.models.anthropic import AnthropicModel  # noqa: PLC0415

        address = settings.base_url or environment.get(BEDROCK_ADDRESS_VARIABLE, "")
        if not address:
            region = next((environment[name] for name in REGION_VARIABLES if environment.get(name)), "")
            if not REGION.fullmatch(region):
                raise SettingsError("Set AWS_REGION to the region of your Bedrock models, such as us-east-1.")
            address = BEDROCK.base_url.format(region=region)
        key = _key(BEDROCK, settings, environment)
        return AnthropicModel(settings, base_url=_checked(address), key=key, vendor=BEDROCK)


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
        from cetp_gateway.models.openai import OpenAIModel  # noqa: PLC0415

        vendor = COMPATIBLE if self._vendor is OPENAI and settings.base_url else self._vendor
        if vendor.needs_base_url and not settings.base_url:
            raise SettingsError(f"model.base_url must be set for {vendor.title}, such as {vendor.needs_base_url}.")
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
