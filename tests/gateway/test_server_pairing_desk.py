"""The pairing code, wrong attempts and the tokens of the command line, on a clock of the test's own."""

import re

import pytest

from cetp_gateway.errors import LockedOut, WrongCode
from cetp_gateway.server.door.attempts import Attempts, client_of
from cetp_gateway.server.door.local_tokens import LIFE_S, LocalTokens
from cetp_gateway.server.door.pairing import PairingDesk
from cetp_gateway.server.requests.idempotency import KEPT_S, IdempotencyKeys

HERE = "192.168.1.9"
WRONG = "0000-0000-0000"


class Clock:
    """Goes on when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> PairingDesk:
    return PairingDesk(Attempts(allowed=3, lockout_s=60, clock=clock), code_life_s=600, clock=clock)


def fail(desk: PairingDesk, times: int, address: str = HERE) -> None:
    for _ in range(times):
        with pytest.raises(WrongCode):
            desk.redeem(WRONG, address)


def test_a_code_is_three_groups_of_four_digits(desk: PairingDesk) -> None:
    assert desk.current() is None
    code = desk.renew()
    assert re.fullmatch(r"\d{4}-\d{4}-\d{4}", code)
    assert desk.current() == code


def test_a_code_is_good_once(desk: PairingDesk) -> None:
    code = desk.renew()
    desk.redeem(code, HERE)
    assert desk.current() is None
    with pytest.raises(WrongCode):
        desk.redeem(code, HERE)


def test_blanks_and_hyphens_do_not_matter(desk: PairingDesk) -> None:
    desk.redeem(desk.renew().replace("-", " "), HERE)


def test_a_code_expires(desk: PairingDesk, clock: Clock) -> None:
    code = desk.renew()
    clock.now += 599
    assert desk.current() == code
    clock.now += 1
    assert desk.current() is None
    with pytest.raises(WrongCode):
        desk.redeem(code, HERE)


def test_a_new_code_replaces_the_old_one(desk: PairingDesk) -> None:
    old, new = desk.renew(), desk.renew()
    with pytest.raises(WrongCode):
        desk.redeem(old, HERE)
    desk.redeem(new, HERE)


@pytest.mark.parametrize("code", ["", "é", "１２３４-5678-9012", "\ud800", "0" * 1_000_000, "None"])
def test_nonsense_is_a_wrong_code_like_any_other(desk: PairingDesk, code: str) -> None:
    with pytest.raises(WrongCode):
        desk.redeem(code, HERE)
    desk.renew()
    with pytest.raises(WrongCode):
        desk.redeem(code, HERE)


def test_too_many_wrong_codes_shut_out_the_right_one_for_a_while(desk: PairingDesk, clock: Clock) -> None:
    code = desk.renew()
    fail(desk, 3)
    clock.now += 10
    with pytest.raises(LockedOut) as out:
        desk.redeem(code, HERE)
    assert out.value.retry_after_s == 50
    clock.now += 50
    desk.redeem(code, HERE)


def test_another_client_is_not_shut_out(desk: PairingDesk) -> None:
    code = desk.renew()
    fail(desk, 3)
    desk.redeem(code, "192.168.1.10")


def test_wrong_codes_long_ago_do_not_count(desk: PairingDesk, clock: Clock) -> None:
    code = desk.renew()
    fail(desk, 2)
    clock.now += 60
    fail(desk, 2)
    desk.redeem(code, HERE)


def test_a_success_forgets_wrong_codes(desk: PairingDesk) -> None:
    fail(desk, 2)
    desk.redeem(desk.renew(), HERE)
    fail(desk, 2)
    desk.redeem(desk.renew(), HERE)


def test_many_clients_together_are_stopped_too(desk: PairingDesk) -> None:
    code = desk.renew()
    for number in range(30):
        fail(desk, 1, f"10.0.0.{number}")
    with pytest.raises(LockedOut):
        desk.redeem(code, "10.0.1.1")


def test_the_network_of_an_ipv6_host_counts_as_one_client() -> None:
    assert client_of("2001:db8:1:2:3::4") == client_of("2001:db8:1:2::9") != client_of("2001:db8:1:3::9")
    assert client_of("::ffff:10.0.0.1") == client_of("10.0.0.1") == "10.0.0.1"
    assert client_of("fe80::1%eth0") == client_of("fe80::1%eth1")
    assert client_of("") == ""


def test_a_local_token_is_good_for_an_hour(clock: Clock) -> None:
    tokens = LocalTokens(clock)
    token = tokens.issue()
    assert re.fullmatch(r"[0-9a-f]{64}", token)
    assert tokens.is_good(token)
    clock.now += LIFE_S
    assert not tokens.is_good(token)


@pytest.mark.parametrize("token", ["", "é" * 64, "\ud800" * 64, "f" * 64, "f" * 1_000_000])
def test_nothing_else_is_a_local_token(token: str) -> None:
    tokens = LocalTokens()
    good = tokens.issue()
    assert not tokens.is_good(token)
    assert not tokens.is_good(good.upper() if good.upper() != good else good[:-1])
    assert not tokens.is_good(good[:-1] + ("0" if good[-1] != "0" else "1"))


def test_of_too_many_local_tokens_the_oldest_goes() -> None:
    tokens = LocalTokens()
    first, second, *_ = [tokens.issue() for _ in range(257)]
    assert not tokens.is_good(first)
    assert tokens.is_good(second)


def test_an_idempotency_key_is_used_up_by_a_good_run_alone(clock: Clock) -> None:
    keys = IdempotencyKeys(clock)
    keys.begin("k")
    assert keys.is_running("k")
    keys.end("k", well=False)
    assert not keys.is_running("k")
    assert not keys.is_done("k")
    keys.begin("k")
    keys.end("k", well=True)
    assert keys.is_done("k")
    clock.now += KEPT_S
    assert not keys.is_done("k")
