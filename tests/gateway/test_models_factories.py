"""Models by name: aliases, keys, addresses, what `auto` takes, and what third parties add."""

import subprocess
import sys
from collections.abc import Mapping
from typing import get_args

import pytest
from anthropic.types import ModelParam

from cetp_gateway.api import ModelProvider
from cetp_gateway.errors import SettingsError
from cetp_gateway.models import ModelFactories, create_model, default_factories
from cetp_gateway.models.vendors import ANTHROPIC, OPENAI_COMPATIBLE
from cetp_gateway.settings.schema import ModelSettings
from cetp_gateway.testing import ScriptedModel
from support.fake_vendor import FakeVendor, answer

KEY = {"ANTHROPIC_API_KEY": "k"}
HERE = "http://127.0.0.1:1/v1"


class ScriptedFactory:
    name = "scripted"
    aliases = ("script",)

    def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
        return ScriptedModel([], model=settings.name)


@pytest.mark.parametrize(
    ("settings", "environment", "provider"),
    [
        (ModelSettings(), {}, "offline"),
        (ModelSettings(), KEY, "anthropic"),
        (ModelSettings(api_key="k"), {}, "anthropic"),
        (ModelSettings(base_url=HERE), {}, "openai"),
        (ModelSettings(base_url=HERE, api_key="k"), {}, "openai"),
        (ModelSettings(base_url=HERE), KEY, "anthropic"),
        (ModelSettings(provider=" Auto "), {"OPENAI_API_KEY": "k"}, "offline"),
        (ModelSettings(provider="offline"), KEY, "offline"),
    ],
)
def test_auto_takes_what_is_set_up(settings: ModelSettings, environment: dict[str, str], provider: str) -> None:
    assert create_model(settings, environment).provider == provider


@pytest.mark.parametrize(
    ("alias", "provider"),
    [
        ("claude", "anthropic"),
        ("Ollama", "ollama"),
        ("lm-studio", "lmstudio"),
        ("google", "gemini"),
        ("kimi", "moonshot"),
    ],
)
def test_aliases_mean_their_provider(alias: str, provider: str) -> None:
    assert create_model(ModelSettings(provider=alias), {}).provider == provider


@pytest.mark.parametrize("vendor", [ANTHROPIC, *OPENAI_COMPATIBLE], ids=lambda vendor: vendor.name)
def test_every_vendor_of_the_table_can_be_made(vendor: object) -> None:
    name = vendor.name  # type: ignore[attr-defined]

    model = create_model(ModelSettings(provider=name, name="m"), {})

    assert (model.provider, model.model) == (name, "m")


def test_an_unknown_provider_names_the_nearest_one() -> None:
    with pytest.raises(
        SettingsError, match=r"model\.provider: there is no provider 'antropic'. Did you mean anthropic"
    ):
        create_model(ModelSettings(provider="antropic"), {})
    with pytest.raises(SettingsError, match=r"Known are: .*offline"):
        create_model(ModelSettings(provider="zzzz"), {})


def test_a_vendor_without_a_default_model_asks_for_the_name() -> None:
    with pytest.raises(SettingsError, match=r"model\.name must be set for Together"):
        create_model(ModelSettings(provider="together"), {})


@pytest.mark.parametrize("address", ["localhost:11434", "ftp://x", "http://", "http://[::1", "http://x:99999", "//x"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(SettingsError, match=r"model\.base_url"):
        create_model(ModelSettings(provider="ollama", base_url=address), {})


@pytest.mark.parametrize("key", ["ключ", "a b", "a\x00b"])
def test_a_key_that_can_be_none_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsError, match=r"model\.api_key") as refused:
        create_model(ModelSettings(provider="groq", api_key=key), {})
    assert key not in str(refused.value)


@pytest.mark.parametrize(
    ("settings_key", "environment", "sent"),
    [
        ("own", {"GROQ_API_KEY": "vendors"}, "Bearer own"),
        ("", {"GROQ_API_KEY": " vendors\n"}, "Bearer vendors"),
        ("", {"OPENAI_API_KEY": "anothers"}, None),
    ],
)
async def test_the_key_comes_from_the_settings_or_the_vendors_own_variable(
    settings_key: str, environment: dict[str, str], sent: str | None
) -> None:
    async with FakeVendor() as vendor:
        vendor.will(answer({"data": []}))
        model = create_model(ModelSettings(provider="groq", base_url=vendor.url, api_key=settings_key), environment)
        await model.models()
        await model.aclose()

        assert vendor.requests[0].headers.get("authorization") == sent


async def test_the_address_of_anthropics_own_variable_counts() -> None:
    async with FakeVendor() as vendor:
        vendor.will(answer({"data": [], "has_more": False, "first_id": None, "last_id": None}))
        model = create_model(ModelSettings(), {**KEY, "ANTHROPIC_BASE_URL": f"{vendor.url}/"})
        assert await model.models() == []
        await model.aclose()

        assert vendor.requests[0].path == "/v1/models"


def test_the_default_model_of_anthropic_is_one_that_the_sdk_knows() -> None:
    listed = get_args(get_args(ModelParam)[0])

    assert ANTHROPIC.default_model in listed


def test_third_parties_add_their_own_factory() -> None:
    factories = default_factories()
    factories.register(ScriptedFactory())

    model = factories.create(ModelSettings(provider="script", name="mine"), {})

    assert (model.provider, model.model) == ("scripted", "mine")
    assert "scripted" in factories.names()


def test_a_name_is_given_only_once() -> None:
    factories = ModelFactories()
    factories.register(ScriptedFactory())

    with pytest.raises(ValueError, match="scripted"):
        factories.register(ScriptedFactory())


def test_making_models_imports_no_sdk_and_no_http_library() -> None:
    program = """
import sys
from cetp_gateway.models import create_model
from cetp_gateway.settings.schema import ModelSettings
for provider in ("anthropic", "openai", "ollama", "offline"):
    create_model(ModelSettings(provider=provider, api_key="k"), {})
print([name for name in ("anthropic", "httpx", "httpx2", "httpx_sse", "pydantic") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)

    assert done.stdout.strip() == "[]"
