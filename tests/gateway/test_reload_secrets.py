"""Secrets that stand in files and key rings: read, guarded, and never written back or told."""

import logging
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import Settings, SettingsSource
from support.reloaded import from_file


def read(folder: Path, text: str, **environment: str) -> Settings:
    file = folder / "cetp.toml"
    file.write_text(text)
    return SettingsSource(file, environment).read()


def secret(folder: Path, content: bytes = b"sk-file\n", mode: int = 0o600) -> Path:
    file = folder / "key"
    file.write_bytes(content)
    file.chmod(mode)
    return file


def test_a_file_holds_the_key(tmp_path: Path) -> None:
    file = secret(tmp_path)
    assert read(tmp_path, f"[model]\napi_key_file = '{file}'\n").model.api_key == "sk-file"
    assert read(tmp_path, "", CETP_MODEL_API_KEY_FILE=str(file)).model.api_key == "sk-file"
    memory = read(tmp_path, f"[memory]\nembedding_api_key_file = '{file}'\n").memory
    assert memory.embedding_api_key == "sk-file"


def test_a_relative_file_lies_beside_the_settings_or_among_systemds_credentials(tmp_path: Path) -> None:
    secret(tmp_path)
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    secret(credentials, b"sk-credential")
    text = "[model]\napi_key_file = 'key'\n"
    assert read(tmp_path, text).model.api_key == "sk-file"
    assert read(tmp_path, text, CREDENTIALS_DIRECTORY=str(credentials)).model.api_key == "sk-credential"


def test_the_environment_wins_whichever_way_it_gives_the_key(tmp_path: Path) -> None:
    file = secret(tmp_path)
    assert read(tmp_path, f"[model]\napi_key_file = '{file}'\n", CETP_MODEL_API_KEY="sk-env").model.api_key == "sk-env"
    assert read(tmp_path, "[model]\napi_key = 'sk'\n", CETP_MODEL_API_KEY_FILE=str(file)).model.api_key == "sk-file"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "one line"), (b"a\nb", "one line"), (b"\xff", "one line"), (b"x" * 20_000, "one line"), (None, "cannot")],
)
def test_a_file_without_a_key_is_refused_and_the_line_is_named(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    file = secret(tmp_path, content) if content is not None else tmp_path / "none"
    with pytest.raises(SettingsError, match=f"line 2: model.api_key_file: .*{says}") as caught:
        read(tmp_path, f"[model]\napi_key_file = '{file}'\n")
    assert content is None or not content or content.decode("latin-1") not in str(caught.value)


def test_two_places_for_one_key_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="both set"):
        read(tmp_path, f"[model]\napi_key = 'sk'\napi_key_file = '{secret(tmp_path)}'\n")


def test_a_folder_or_pipe_in_the_place_of_the_file_stops_nobody(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="api_key_file"):
        read(tmp_path, f"[model]\napi_key_file = '{tmp_path}'\n")


def test_a_file_that_others_may_read_is_told_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        read(tmp_path, f"[model]\napi_key_file = '{secret(tmp_path)}'\n")
        assert not caplog.records
        read(tmp_path, f"[model]\napi_key_file = '{secret(tmp_path, mode=0o644)}'\n")
    assert "model.api_key_file" in caplog.text
    assert "sk-file" not in caplog.text


class Ring(KeyringBackend):
    """A key ring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def get_password(self, service: str, username: str) -> str | None:
        return {("cetp", "model"): "sk-ring"}.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError("nothing is written into a key ring")


@pytest.fixture
def ring() -> None:
    keyring.set_keyring(Ring())


@pytest.mark.usefixtures("ring")
def test_a_key_ring_holds_the_key(tmp_path: Path) -> None:
    assert read(tmp_path, "[model]\napi_key = 'keyring:cetp/model'\n").model.api_key == "sk-ring"
    assert read(tmp_path, "", CETP_MODEL_API_KEY="keyring:cetp/model").model.api_key == "sk-ring"
    with pytest.raises(SettingsError, match="keyring set cetp other"):
        read(tmp_path, "[model]\napi_key = 'keyring:cetp/other'\n")
    with pytest.raises(SettingsError, match="keyring:SERVICE/NAME"):
        read(tmp_path, "[model]\napi_key = 'keyring:cetp'\n")


async def test_the_secret_is_in_no_answer_and_in_no_file_that_is_written(tmp_path: Path) -> None:
    file = secret(tmp_path)
    text = f"[model]\nprovider = 'openai'\nname = 'm'\nbase_url = 'http://127.0.0.1:9'\napi_key_file = '{file}'\n"
    async with from_file(tmp_path, text, CETP_MEMORY_EMBEDDING_API_KEY="sk-env") as gateway:
        assert gateway.running.runtime.settings.model.api_key == "sk-file"
        shown = (await gateway.http.get("/api/config")).json()["content"]
        put = await gateway.http.put("/api/config", content=shown.replace("name = 'm'", "name = 'n'"))
        assert (put.status_code, put.json()["changed"]) == (200, ["model.name"])
        reloaded = await gateway.http.post("/api/config/reload")
        status = await gateway.http.get("/api/status")
        written = gateway.file.read_text()
    for text in (shown, put.text, reloaded.text, status.text, written, repr(gateway.running.runtime.settings)):
        assert "sk-" not in text


async def test_where_secrets_are_kept_is_changed_on_the_machine_itself_alone(tmp_path: Path) -> None:
    """Else a stolen token could have any file sent to any address as a key."""
    async with from_file(tmp_path) as gateway:
        text = gateway.file.read_text()
        away = {"X-Forwarded-For": "192.0.2.7"}
        for more in (f"[model]\napi_key_file = '{secret(tmp_path)}'\n", "[model]\napi_key = 'keyring:cetp/model'\n"):
            refused = await gateway.http.put("/api/config", content=text + more, headers=away)
            assert (refused.status_code, "own machine" in refused.text) == (403, True)
        assert gateway.file.read_text() == text
        more = f"[model]\nprovider = 'offline'\napi_key_file = '{secret(tmp_path)}'\n"
        assert (await gateway.http.put("/api/config", content=text + more)).status_code == 200
        shown = (await gateway.http.get("/api/config")).json()["content"]
        allowed = await gateway.http.put("/api/config", content=shown + "[agent]\nmax_steps = 9\n", headers=away)
        assert allowed.status_code == 200
