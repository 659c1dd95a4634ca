"""The settings file as text: secrets masked and put back, comments kept."""

import pytest

from cetp_gateway.errors import SettingsError
from cetp_gateway.server.rest.config_text import MASK, masked, references, unmasked
from cetp_gateway.settings import SettingsSource

STORED = """\
# My box.
[model]
provider = "openai"   # the cheap one
api_key = "sk-secret"  # from the vendor's page

[server]
port = 1234
"""


def read(text: str) -> None:
    SettingsSource(None, {}).read_as(text)


def test_a_secret_is_masked_and_everything_else_stays() -> None:
    assert masked(STORED) == STORED.replace("sk-secret", MASK)


@pytest.mark.parametrize(
    "text",
    [
        'model = {provider = "openai", api_key = "sk-secret"}',
        'model.api_key = "sk-secret"',
        "[model]\napi_key = '''sk-secret'''",
        '[model]\n"api_key" = "sk\\u002Dsecret"',
    ],
)
def test_a_secret_is_masked_however_it_is_written(text: str) -> None:
    shown = masked(text)
    assert "secret" not in shown
    assert MASK in shown


def test_an_empty_secret_is_shown_as_empty() -> None:
    assert masked('[model]\napi_key = ""\n') == '[model]\napi_key = ""\n'


def test_a_mask_sent_back_becomes_the_secret_again() -> None:
    assert unmasked(masked(STORED), STORED) == STORED


def test_a_new_secret_replaces_the_old_one() -> None:
    assert 'api_key = "sk-new"' in unmasked(STORED.replace("sk-secret", "sk-new"), STORED)


def test_a_mask_without_a_stored_secret_goes() -> None:
    text = unmasked(masked(STORED), "")
    assert "api_key" not in text
    assert 'provider = "openai"   # the cheap one' in text


def test_unknown_settings_and_wrong_values_are_named() -> None:
    with pytest.raises(SettingsError, match=r"server\.prot"):
        read("[server]\nprot = 1")
    with pytest.raises(SettingsError, match=r"server\.port"):
        read("[server]\nport = -1")
    read(STORED)


@pytest.mark.parametrize("text", ["[model", "a = ", '[model]\nx = "\n', "a = 1\na = 2", "\x00", "[[model]]\n[model]"])
def test_text_that_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        masked(text)


def test_the_place_of_a_syntax_error_is_named() -> None:
    with pytest.raises(SettingsError, match="line 3"):
        masked("[server]\nport = 1\nhost = \n")


@pytest.mark.parametrize("text", ["model = 1", "[[model]]\napi_key = 'x'", "model = [1]"])
def test_a_section_of_another_shape_is_refused(text: str) -> None:
    masked(text)
    with pytest.raises(SettingsError):
        read(unmasked(text, STORED))


def test_where_a_secret_is_kept_is_no_secret() -> None:
    text = '[model]\napi_key = "keyring:cetp/model"\n[memory]\nembedding_api_key_file = "/run/secrets/embedding"\n'
    assert masked(text) == text
    assert references(text) == {
        "model.api_key": "keyring:cetp/model",
        "memory.embedding_api_key_file": "/run/secrets/embedding",
    }
    assert references(STORED) == {}
