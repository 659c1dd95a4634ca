"""Settings: where they come from, and what a user is told about a wrong one."""

from pathlib import Path

import msgspec
import pytest

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import SECRETS, Settings, load_settings


def test_without_any_source_the_gateway_is_closed_and_local() -> None:
    settings = load_settings(None, {})
    assert (settings.server.host, settings.server.port, settings.server.require_pairing) == ("127.0.0.1", 42617, True)


@pytest.mark.requirement("runtime.packages.config")
def test_the_environment_wins_over_the_file_and_the_command_line_over_both(tmp_path: Path) -> None:
    file = tmp_path / "cetp.toml"
    file.write_text('[server]\nport = 1\nhost = "0.0.0.0"\n[model]\nname = "from file"\n')
    environment = {"CETP_SERVER_PORT": "2", "CETP_MODEL_NAME": "from environment"}
    settings = load_settings(file, environment, {"server": {"port": 3}})
    assert (settings.server.host, settings.server.port, settings.model.name) == ("0.0.0.0", 3, "from environment")


def test_the_environment_gives_numbers_switches_and_lists() -> None:
    settings = load_settings(
        None,
        {
            "CETP_LIMITS_TOOL_TIMEOUT_S": "2.5",
            "CETP_SERVER_REQUIRE_PAIRING": "false",
            "CETP_TOOLS_DENIED": "notes__delete, *__wipe",
            "CETP_MODEL_TEMPERATURE": "",
            "CETP_TOKEN": "belongs to the command line",
            "OTHER": "ignored",
        },
    )
    assert settings.limits.tool_timeout_s == 2.5
    assert settings.server.require_pairing is False
    assert settings.tools.denied == ("notes__delete", "*__wipe")
    assert settings.model.temperature is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[servr]\n", r"no section \[servr\]\. Did you mean server\?"),
        ("[server]\nprot = 1\n", r"no setting server\.prot\. Did you mean port\?"),
        ("[server]\nport = 70000\n", r"server\.port: .*65535"),
        ('[server]\nport = "80"\n', r"server\.port: .*int"),
        ("[limits]\ntool_timeout_s = 0\n", r"limits\.tool_timeout_s"),
        ("server = 3\n", r"\[server\] must be a section"),
        ("[server\n", "not valid TOML.*line 1"),
    ],
)
def test_a_wrong_file_is_refused_and_the_place_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "cetp.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        load_settings(file, {})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("CETP_SERVER_PROT", "1", "Did you mean CETP_SERVER_PORT"),
        ("CETP_SERVER_PORT", "many", "CETP_SERVER_PORT='many'"),
    ],
)
def test_a_wrong_variable_is_refused_by_name(name: str, value: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load_settings(None, {name: value})


def test_a_secret_of_the_environment_is_not_repeated_when_it_is_refused() -> None:
    """A key that cannot be read as text does not exist, so the nearest case is a misspelt variable."""
    with pytest.raises(SettingsError) as caught:
        load_settings(None, {"CETP_MODEL_API_KEYS": "sk-secret"})
    assert "sk-secret" not in str(caught.value)


def test_the_key_of_the_model_is_in_no_representation() -> None:
    settings = load_settings(None, {"CETP_MODEL_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(settings)


def test_every_secret_is_a_setting() -> None:
    known = {
        (section.name, field.name)
        for section in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(section.type)
    }
    assert known >= SECRETS
