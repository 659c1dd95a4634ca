"""Pairing links against the vectors, and where the gateway tells phones to go."""

import msgspec
import pytest

from cetp_gateway.errors import PairingError, SettingsError
from cetp_gateway.server.door.pairing_link import PairingLink, read_pairing_link
from cetp_gateway.server.door.reach import check_public_url, may_be_unencrypted, reach
from cetp_gateway.settings import ServerSettings
from cetp_spec.vectors import LinkCase, pairing_links

CASES = pairing_links()
GOOD = [case for case in CASES if case.reads]


def server(**values: object) -> ServerSettings:
    return msgspec.convert(values, ServerSettings)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.description)
def test_a_link_is_read_or_refused_as_in_the_vectors(case: LinkCase) -> None:
    if case.reads:
        expected = PairingLink(gateway=case.reads.gateway, code=case.reads.code, pin=case.reads.pin)
        assert read_pairing_link(case.link) == expected
    else:
        with pytest.raises(PairingError) as raised:
            read_pairing_link(case.link)
        assert "1234" not in raised.value.message


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.description)
def test_a_link_that_is_written_reads_the_same(case: LinkCase) -> None:
    link = read_pairing_link(case.link)
    assert read_pairing_link(str(link)) == link


def test_a_link_does_not_show_its_code_in_a_log() -> None:
    assert "1234" not in repr(PairingLink(gateway="http://box.local:80", code="1234-5678-9012"))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_no_phone_reaches_a_gateway_that_listens_for_its_own_machine(host: str) -> None:
    found = reach(server(host=host), 42617, encrypted=False)
    assert found.url is None
    assert "--host 0.0.0.0" in found.advice


def test_a_gateway_that_listens_everywhere_names_the_address_that_it_uses_towards_others() -> None:
    own = {"0.0.0.0": "192.168.1.7", "::": "fd00::7"}
    found = [reach(server(host=host), 42617, encrypted=True, outward=lambda each: own[each]).url for host in own]
    assert found == ["https://192.168.1.7:42617", "https://[fd00::7]:42617"]


@pytest.mark.parametrize(
    ("host", "encrypted", "url"),
    [
        ("192.168.1.5", False, "http://192.168.1.5:42617"),
        ("fd00::5", True, "https://[fd00::5]:42617"),
        ("203.0.113.7", True, "https://203.0.113.7:42617"),
    ],
)
def test_the_address_to_bind_is_the_one_for_phones(host: str, encrypted: bool, url: str) -> None:
    found = reach(server(host=host), 42617, encrypted=encrypted)
    assert (found.url, found.advice) == (url, "")


def test_an_unencrypted_public_address_comes_with_the_way_out() -> None:
    assert "server.tls" in reach(server(host="203.0.113.7"), 42617, encrypted=False).advice
    assert "server.tls" in reach(server(public_url="http://box.example.org"), 42617, encrypted=False).advice


def test_the_public_url_wins_and_is_spelled_out() -> None:
    found = reach(server(public_url="https://Box.example.org/"), 42617, encrypted=False)
    assert (found.url, found.advice) == ("https://box.example.org:443", "")


@pytest.mark.parametrize(
    "url",
    [
        "box.example.org",
        "ftp://box",
        "https://",
        "https://box/cetp",
        "https://me@box",
        "https://box:0x",
        "https://box?a",
    ],
)
def test_a_public_url_that_no_phone_could_use_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match=r"server\.public_url"):
        check_public_url(server(public_url=url))


def test_tokens_go_unencrypted_into_private_networks_alone() -> None:
    private = ["127.0.0.1", "10.0.0.1", "172.31.0.1", "192.168.1.5", "169.254.1.1", "::1", "fe80::1", "fd00::1"]
    names = ["::ffff:10.0.0.1", "box", "box.local", "box.lan", "box.home.arpa"]
    assert [host for host in private + names if not may_be_unencrypted(host)] == []
    public = ["8.8.8.8", "172.32.0.1", "100.64.0.1", "2001:db8::1", "::ffff:8.8.8.8", "box.example.org", "local.org"]
    assert [host for host in public if may_be_unencrypted(host)] == []
