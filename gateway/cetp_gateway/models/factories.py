"""Makes models by name, each with its retries, its circuit breaker and its fallbacks.

Third parties add theirs by entry point (`entry_points`), applications with `factories.register(MyFactory())`.

Above: `assemble`. Making a model imports no SDK and opens no connection.
"""

import difflib
import os
from collections.abc import Callable, Mapping
from typing import Final

from cetp_gateway.api import ModelProvider
from cetp_gateway.errors import SettingsError
from cetp_gateway.models.circuit import CircuitModel
from cetp_gateway.models.entry_points import factories_of_packages
from cetp_gateway.models.factory import ModelFactory
from cetp_gateway.models.fallback import FallbackModel, chain_of
from cetp_gateway.models.retry import ReliableModel
from cetp_gateway.models.vendor_factories import AnthropicFactory, BedrockFactory, OpenAIFactory
from cetp_gateway.models.vendors import ANTHROPIC, OPENAI, OPENAI_COMPATIBLE
from cetp_gateway.settings.model import ModelSettings

AUTO: Final = "auto"


Around = Callable[[ModelProvider], ModelProvider]


def unchanged(model: ModelProvider) -> ModelProvider:
    """The model itself."""
    return model


class OfflineFactory:
    """The planner that needs no vendor."""

    name = "offline"
    aliases = ("none",)

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:  # noqa: ARG002
        from cetp_gateway.models.offline import OfflineModel  # noqa: PLC0415  (as in vendor_factories)

        return OfflineModel()


class ModelFactories:
    """The factories, by name and alias."""

    def __init__(self) -> None:
        self._by_name: dict[str, ModelFactory] = {}

    def register(self, factory: ModelFactory) -> None:
        """Add a factory; ValueError when one of its names is taken."""
        names = [factory.name, *factory.aliases]
        taken = [name for name in names if name in self._by_name or name == AUTO]
        if taken:
            raise ValueError(f"There is a model factory named {taken[0]} already.")
        self._by_name.update(dict.fromkeys(names, factory))

    def names(self) -> list[str]:
        """What `model.provider` may be, sorted, without aliases."""
        return sorted({factory.name for factory in self._by_name.values()} | {AUTO})

    def create(
        self, settings: ModelSettings, environment: Mapping[str, str] = os.environ, *, around: Around = unchanged
    ) -> ModelProvider:
        """The model that the settings ask for, with everything around it that makes it reliable.

        Args:
            settings: of the first model; `fallbacks` names the others.
            environment: may hold the vendors' keys.
            around: put around each model of the chain, below its retries; sees every request to a vendor.

        Raises:
            SettingsError: no such provider, or a setting of the model is missing or unusable.
        """
        links = [self._link(link, environment, around) for link in chain_of(settings)]
        return links[0] if len(links) == 1 else FallbackModel(links)

    def _link(self, settings: ModelSettings, environment: Mapping[str, str], around: Around) -> ModelProvider:
        bare = self._bare(settings, environment)
        model = _with_tools(bare, around(bare), settings)
        return CircuitModel(
            ReliableModel(model, retries=settings.retries),
            failures=settings.breaker_failures,
            pause_s=settings.breaker_pause_s,
        )

    def _bare(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        wanted = settings.provider.strip().lower()
        name = chosen_provider(settings, environment) if wanted == AUTO else wanted
        factory = self._by_name.get(name) or self._of_package(name)
        if factory is None:
            raise SettingsError(f"model.provider: there is no provider {settings.provider!r}. {self._nearest(name)}")
        return factory.create(settings, environment)

    def _of_package(self, name: str) -> ModelFactory | None:
        """A factory of another package, registered from now on."""
        for factory in factories_of_packages():
            if name in (factory.name, *factory.aliases):
                self.register(factory)
                return factory
        return None

    def _nearest(self, name: str) -> str:
        found = difflib.get_close_matches(name, self._by_name, n=1, cutoff=0.5)
        return f"Did you mean {found[0]}?" if found else f"Known are: {', '.join(self.names())}."


def _with_tools(bare: ModelProvider, model: ModelProvider, settings: ModelSettings) -> ModelProvider:
    """The model with tools in words as `model.tool_calls` says; the offline planner reads tools as they are."""
    if settings.tool_calls == "native" or model.provider == OfflineFactory.name:
        return model
    from cetp_gateway.models.tool_text import ToolTextModel  # noqa: PLC0415  (a tenth of the start, for vendors' models)

    reads_text = bool(getattr(bare, "leaves_calls_in_text", False))
    return ToolTextModel(model, mode=settings.tool_calls, reads_text=reads_text)


def chosen_provider(settings: ModelSettings, environment: Mapping[str, str]) -> str:
    """What `auto` means: Anthropic with a key of its own, a server with an address, else no vendor at all.

    A `model.api_key` beside a `model.base_url` is that server's key, not Anthropic's.
    """
    if any(environment.get(variable) for variable in ANTHROPIC.key_variables):
        return ANTHROPIC.name
    if settings.base_url:
        return OPENAI.name
    return ANTHROPIC.name if settings.api_key else OfflineFactory.name


def default_factories() -> ModelFactories:
    """A registry with everything that ships with the project; the caller may register more."""
    factories = ModelFactories()
    factories.register(AnthropicFactory())
    factories.register(BedrockFactory())
    for vendor in OPENAI_COMPATIBLE:
        factories.register(OpenAIFactory(vendor))
    factories.register(OfflineFactory())
    return factories


def create_model(settings: ModelSettings, environment: Mapping[str, str] = os.environ) -> ModelProvider:
    """The model of the settings, from the factories that ship with the project; raises SettingsError."""
    return default_factories().create(settings, environment)
