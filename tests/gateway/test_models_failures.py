"""What a user reads when a vendor fails: the kind, the vendor's words without secrets, the next step."""

from collections.abc import AsyncIterator
from email.utils import formatdate
from time import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.redaction import quotable, redact
from support.fake_vendor import FakeVendor, answer, page
from support.vendor_models import anthropic_model, ask, openai_model

KINDS = {
    400: ModelFailure.REFUSED_REQUEST,
    401: ModelFailure.AUTH,
    402: ModelFailure.REFUSED_REQUEST,
    403: ModelFailure.AUTH,
    404: ModelFailure.REFUSED_REQUEST,
    408: ModelFailure.UNREACHABLE,
    413: ModelFailure.REFUSED_REQUEST,
    422: ModelFailure.REFUSED_REQUEST,
    429: ModelFailure.RATE_LIMITED,
    500: ModelFailure.OVERLOADED,
    502: ModelFailure.OVERLOADED,
    503: ModelFailure.OVERLOADED,
    529: ModelFailure.OVERLOADED,
}
HELPS = {
    401: "Set OPENAI_API_KEY or CETP_MODEL_API_KEY",
    402: "no credit",
    404: "model.name (m)",
    413: "new session",
    429: "Try again in 7 s",
    503: "Try again",
}


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


async def failure(vendor: FakeVendor, body: Any, status: int, provider: str = "openai", **headers: str) -> ModelFailed:
    vendor.will(answer(body, status, **headers))
    model = anthropic_model(vendor) if provider == "anthropic" else openai_model(vendor, provider, api_key="k-1-secret")
    return (await ask(model)).failure


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize(("status", "kind"), KINDS.items())
async def test_every_status_has_its_kind(vendor: FakeVendor, status: int, kind: ModelFailure, provider: str) -> None:
    failed = await failure(vendor, {"type": "error", "error": {"message": "Because."}}, status, provider)

    assert failed.kind is kind
    assert failed.code == ("AUTH_ERROR" if kind is ModelFailure.AUTH else "PROVIDER_ERROR")
    assert "Because." in failed.message
    assert str(status) in failed.message


@pytest.mark.parametrize(("status", "help_text"), HELPS.items())
async def test_the_sentence_ends_with_what_to_do(vendor: FakeVendor, status: int, help_text: str) -> None:
    failed = await failure(vendor, {"error": {"message": "Because."}}, status, retry_after="7")

    assert help_text in failed.message


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after_ms": "250"}, 0.25),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "nan"}, None),
        ({}, None),
    ],
)
async def test_the_wait_that_the_vendor_asks_for_is_kept(
    vendor: FakeVendor, headers: dict[str, str], seconds: float | None, provider: str
) -> None:
    failed = await failure(vendor, {"error": {"message": "slow down"}}, 429, provider, **headers)

    assert failed.retry_after_s == seconds


async def test_a_wait_may_be_a_date(vendor: FakeVendor) -> None:
    failed = await failure(vendor, {}, 429, retry_after=formatdate(time() + 60, usegmt=True))

    assert failed.retry_after_s is not None
    assert 0 <= failed.retry_after_s <= 60


async def test_a_used_up_quota_is_no_passing_trouble(vendor: FakeVendor) -> None:
    failed = await failure(vendor, {"error": {"message": "You exceeded it", "type": "insufficient_quota"}}, 429)

    assert failed.kind is ModelFailure.REFUSED_REQUEST
    assert "no credit" in failed.message


async def test_a_conversation_that_is_too_long_is_told_from_other_refusals(vendor: FakeVendor) -> None:
    failed = await failure(vendor, {"error": {"message": "maximum context length is 4096 tokens"}}, 400)

    assert "new session" in failed.message


async def test_a_list_around_the_error_and_geminis_own_words_are_understood(vendor: FakeVendor) -> None:
    body = [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}]

    failed = await failure(vendor, body, 400, "gemini")

    assert failed.kind is ModelFailure.AUTH
    assert "GEMINI_API_KEY" in failed.message


@pytest.mark.parametrize(
    "body",
    [
        {"error": "model is loading"},
        {"detail": "model is loading"},
        {"message": "model is loading"},
        "model is loading",
    ],
)
async def test_the_vendors_words_are_found_in_all_their_shapes(vendor: FakeVendor, body: Any) -> None:
    assert "model is loading" in (await failure(vendor, body, 503)).message


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_a_proxys_page_is_not_shown(vendor: FakeVendor, provider: str) -> None:
    vendor.will(page("<html><h1>502 Bad Gateway</h1></html>", 502))

    failed = (await ask(anthropic_model(vendor) if provider == "anthropic" else openai_model(vendor))).failure

    assert failed.kind is ModelFailure.OVERLOADED
    assert "<" not in failed.message


async def test_a_model_that_ollama_does_not_have_is_fetched_like_this(vendor: FakeVendor) -> None:
    failed = await failure(vendor, {"error": {"message": 'model "m" not found'}}, 404, "ollama")

    assert "ollama pull m" in failed.message


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_the_own_key_is_hidden_wherever_the_vendor_repeats_it(vendor: FakeVendor, provider: str) -> None:
    said = "Incorrect API key provided: k-1-secret. Also sk-abc123DEF456 and Bearer abc.def."

    failed = await failure(vendor, {"error": {"message": said}}, 401, provider)

    for secret in ("sk-abc123DEF456", "abc.def"):
        assert secret not in failed.message
    assert ("k-1-secret" in failed.message) == (provider == "anthropic"), "only the openai model has this key"
    assert "Incorrect API key provided" in failed.message


async def test_a_long_message_is_shortened_to_one_line(vendor: FakeVendor) -> None:
    failed = await failure(vendor, {"error": {"message": "word \n\x1b[31m" * 500}}, 500)

    assert len(failed.message) < 600
    assert failed.message.isprintable()


SECRETS = [
    "sk-ant-api03-AbCdEf123456",
    "sk-proj-a1b2c3d4e5f6",
    "gsk_a1b2c3d4e5f6g7h8",
    "AIzaSyA1b2C3d4E5f6G7h8I9",
    "Bearer eyJhbGciOi.eyJzdWIi.c2ln",
    "api_key=hunter2hunter2",
    "token: abcdef",
    "0123456789abcdef0123456789abcdef",
    "QWxhZGRpbjpvcGVuIHNlc2FtZTEyMzQ1Njc4OTA=",
    "//user:pass@",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_hidden(secret: str) -> None:
    hidden = redact(f"it said {secret} there")

    assert "[hidden]" in hidden
    assert hidden.startswith("it said")
    assert hidden.endswith("there")
    assert secret.rsplit(maxsplit=1)[-1].strip("/@") not in hidden


@pytest.mark.parametrize(
    "text",
    [
        "tools.3.custom.name: String should match pattern",
        "model claude-sonnet-4-5-20250929 not found",
        "see https://platform.claude.com/docs/en/build-with-claude/prompt-engineering/overview",
        "home__read_hourly_consumption_by_appliance_of_the_whole_house",
        "maximum context length is 128000 tokens",
    ],
)
def test_plain_words_stay(text: str) -> None:
    assert quotable(text) == text


@given(st.text(max_size=2000), st.text(min_size=4, max_size=20))
def test_a_quote_is_short_printable_and_without_the_key(text: str, key: str) -> None:
    quoted = quotable(f"{text} {key}", [key])

    assert len(quoted) <= 300
    assert quoted.isprintable()
    assert key not in quoted or key in "[hidden]…" or not key.isprintable() or key != " ".join(key.split())
