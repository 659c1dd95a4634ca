"""The delays between attempts, as a plain generator; addresses and endings, as plain functions."""

import ssl
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.errors import GatewayRefused, GatewayUnreachable
from cetp_gateway.phone import BackoffPolicy, backoff
from cetp_gateway.phone.address import socket_url
from cetp_gateway.phone.connection import authorization
from cetp_gateway.phone.endings import of_close, of_failure


def test_delays_double_up_to_the_cap() -> None:
    policy = BackoffPolicy(first_s=0.25, cap_s=3)

    assert list(islice(backoff(policy, chance=lambda: 0), 6)) == [0.25, 0.5, 1, 2, 3, 3]


def test_jitter_adds_its_share_and_no_more() -> None:
    policy = BackoffPolicy(first_s=1, jitter=0.5)

    assert list(islice(backoff(policy, chance=lambda: 1.0), 3)) == [1.5, 3, 6]


@given(st.integers(0, 2000))
def test_delays_stay_positive_and_bounded_over_days(skipped: int) -> None:
    policy = BackoffPolicy()

    delay = next(islice(backoff(policy), skipped, None))

    assert 0 < delay <= policy.cap_s * (1 + policy.jitter)


def test_two_phones_do_not_come_back_in_one_instant() -> None:
    assert list(islice(backoff(), 8)) != list(islice(backoff(), 8))


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("http://box:8080", "ws://box:8080/ws/chat"),
        ("https://box", "wss://box/ws/chat"),
        ("ws://box", "ws://box/ws/chat"),
        ("wss://box/prefix/", "wss://box/prefix/ws/chat"),
        ("http://box:1/ws/chat", "ws://box:1/ws/chat"),
        ("box", "ws://box:42617/ws/chat"),
        ("192.168.1.20:9000", "ws://192.168.1.20:9000/ws/chat"),
        ("[::1]:9000", "ws://[::1]:9000/ws/chat"),
        (" localhost ", "ws://localhost:42617/ws/chat"),
    ],
)
def test_every_usual_way_to_write_a_gateway_leads_to_its_door(typed: str, url: str) -> None:
    assert socket_url(typed) == url


def test_a_session_travels_in_the_query() -> None:
    assert socket_url("box", "kitchen 1") == "ws://box:42617/ws/chat?session_id=kitchen%201"


@pytest.mark.parametrize("typed", ["", "ftp://box", "http://", "box:port", "box:99999", "http://[::", "http://a b:x"])
def test_what_is_no_address_is_refused_with_the_forms_that_are(typed: str) -> None:
    with pytest.raises(GatewayUnreachable, match="HOST:PORT"):
        socket_url(typed)


@pytest.mark.parametrize("typed", ["http://user:hush@box", "http://box?token=hush", "http://hush@box:x"])
def test_a_secret_in_an_address_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(GatewayUnreachable) as refused:
        socket_url(typed)

    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "schlüssel", "tab\t"])
def test_a_text_that_can_be_no_token_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(GatewayRefused) as refused:
        authorization(token)

    assert token not in str(refused.value)


@pytest.mark.parametrize(
    ("code", "final", "said"),
    [
        (1000, True, "for good"),
        (1001, False, "restarting"),
        (1006, False, "broke"),
        (1011, False, "1011"),
        (1012, False, "restarting"),
        (4401, True, "cetp pair"),
        (4403, True, "not allowed"),
        (4408, False, "does not read"),
        (4409, True, "'kitchen'"),
        (4429, False, "too fast"),
        (None, False, "broke"),
    ],
)
def test_a_close_code_says_whether_to_come_back_and_what_to_do(code: int | None, final: bool, said: str) -> None:
    ending = of_close(code, "", "kitchen")

    assert ending.final is final
    assert said in ending.reason
    assert (ending.failure is not None) is (code in (4401, 4403, 4409))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConnectionRefusedError(), "cetp serve"),
        (TimeoutError(), "does not answer"),
        (ssl.SSLCertVerificationError(), "certificate"),
    ],
)
def test_an_error_of_the_network_is_tried_again_and_says_what_to_look_at(error: Exception, said: str) -> None:
    ending = of_failure(error, "ws://box/ws/chat")

    assert not ending.final
    assert said in ending.reason


def test_an_error_that_is_not_the_networks_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        of_failure(ZeroDivisionError(), "ws://box/ws/chat")
