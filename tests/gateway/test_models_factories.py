"""Models by name: aliases, keys, addresses, what `auto` takes, and what third parties add."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest
from anthropic.types import ModelParam

from cetp_gateway.api import ModelProvider
from cetp_gateway.errors import SettingsError
from cetp_gateway.models import ModelFactories, create_model, default_factories
from cetp_gateway.models.vendors import ANTHROPIC, BEDROCK, OPENAI_COMPATIBLE, Vendor
from cetp_gateway.settings.model import ModelSettings
from cetp_gateway.testing import ScriptedModel
from support.fake_vendor import FakeVendor, answer, stream
from support.vendor_models import ask
from support.vendor_streams import anthropic_text

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
        ("glm", "zai"),
        ("aws", "bedrock"),
        ("hf", "huggingface"),
    ],
)
def test_aliases_mean_their_provider(alias: str, provider: str) -> None:
    settings = ModelSettings(provider=alias, name="m")
    assert create_model(settings, {"AWS_REGION": "eu-central-1"}).provider == provider


@pytest.mark.parametrize("vendor", [ANTHROPIC, BEDROCK, *OPENAI_COMPATIBLE], ids=lambda vendor: vendor.name)
def test_every_vendor_of_the_table_can_be_made(vendor: Vendor) -> None:
    name = vendor.name
    address = HERE if vendor.needs_base_url else ""

    model = create_model(ModelSettings(provider=name, name="m", base_url=address), {"AWS_REGION": "us-east-1"})

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


def test_azure_asks_for_the_customers_own_address() -> None:
    with pytest.raises(SettingsError, match=r"model\.base_url must be set for Azure OpenAI, such as https://"):
        create_model(ModelSettings(provider="azure", name="m"), {})


@pytest.mark.parametrize("region", ["", "evil.example/x", "us-east-1.evil"])
def test_bedrock_asks_for_a_region(region: str) -> None:
    with pytest.raises(SettingsError, match="AWS_REGION"):
        create_model(ModelSettings(provider="bedrock"), {"AWS_REGION": region})


@pytest.mark.requirement("runtime.overview.bedrock")
async def test_bedrock_is_asked_in_anthropics_language_with_its_own_key() -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(*anthropic_text("Hello")))
        settings = ModelSettings(provider="bedrock", retries=0)
        address = {"ANTHROPIC_BEDROCK_MANTLE_BASE_URL": f"{vendor.url}/anthropic", "AWS_BEARER_TOKEN_BEDROCK": "b-1"}

        said = await ask(create_model(settings, address))

        asked = vendor.requests[0]
        assert said.text == "Hello"
        assert asked.path == "/anthropic/v1/messages"
        assert asked.headers["authorization"] == "Bearer b-1"
        assert asked.body["model"] == BEDROCK.default_model


async def test_bedrock_without_a_key_names_the_variable_and_asks_nobody() -> None:
    said = await ask(create_model(ModelSettings(provider="bedrock", retries=0), {"AWS_REGION": "us-east-1"}))

    assert "AWS_BEARER_TOKEN_BEDROCK" in said.failure.message


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


def a_package(folder: Path, source: str) -> None:
    """An installed package with one entry point."""
    (folder / "their_vendor.py").write_text(source)
    info = folder / "their_vendor-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-vendor\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cetp_gateway.models]\ntheirs = their_vendor:Factory\n")


def in_a_process_of_its_own(folder: Path, provider: str) -> str:
    program = f"""
from cetp_gateway.errors import SettingsError
from cetp_gateway.models import create_model
from cetp_gateway.settings.model import ModelSettings
try:
    model = create_model(ModelSettings(provider={provider!r}, name="m", api_key="k"))
    print(model.provider, model.model)
except SettingsError as error:
    print(error)
"""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    run = [sys.executable, "-c", program]
    return subprocess.run(run, capture_output=True, text=True, timeout=30, check=True, env=environment).stdout.strip()


@pytest.mark.requirement("runtime.factory.custom")
@pytest.mark.parametrize("provider", ["theirs", "their-alias"])
def test_a_package_brings_its_provider_by_entry_point(tmp_path: Path, provider: str) -> None:
    a_package(
        tmp_path,
        """
from cetp_gateway.testing import ScriptedModel

class Factory:
    name = "theirs"
    aliases = ("their-alias",)

    def create(self, settings, environment):
        return ScriptedModel([], model=settings.name)
""",
    )
    assert in_a_process_of_its_own(tmp_path, provider) == "scripted m"


def test_a_broken_package_is_named_when_its_provider_is_asked_for_and_harms_no_other(tmp_path: Path) -> None:
    a_package(tmp_path, "raise RuntimeError('no such library')")

    assert "theirs of their-vendor cannot be loaded" in in_a_process_of_its_own(tmp_path, "theirs")
    assert in_a_process_of_its_own(tmp_path, "groq") == "groq m"


def test_making_models_imports_no_sdk_and_no_http_library() -> None:
    program = """
import sys
from cetp_gateway.models import create_model
from cetp_gateway.settings.model import ModelSettings
for provider in ("anthropic", "openai", "ollama", "offline"):
    create_model(ModelSettings(provider=provider, api_key="k"), {})
print([name for name in ("anthropic", "httpx", "httpx2", "httpx_sse", "pydantic") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)

    assert done.stdout.strip() == "[]"
