"""Where the web tools may go: what an address is counts, in whatever form it is written, and it is looked up once."""

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest

from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.web.addresses import is_public
from cetp_gateway.builtin.web.client import WebClient
from cetp_gateway.builtin.web.lookup import addresses_of, look_up
from cetp_gateway.builtin.web.url import host_rule, read_url
from cetp_gateway.server.door.certificate import self_signed
from support.site import moved, page, site

BOUND_S = 5.0


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.251",
        "240.0.0.1",
        "198.18.0.1",
        "203.0.113.9",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a00:1",
        "64:ff9b:1::808:808",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "fd00:ec2::254",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "no address",
    ],
)
def test_addresses_of_this_machine_and_of_private_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://017700000001/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://①②⑦.⓪.⓪.①/",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost./",
    ],
)
async def test_no_spelling_of_a_private_address_gets_through(url: str) -> None:
    with pytest.raises(NotPossible):
        await addresses_of(read_url(url), look_up, private=False)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("file:///etc/passwd", "only http"),
        ("gopher://example.org/", "only http"),
        ("//example.org/x", "only http"),
        ("http://user:secret@example.org/", "password"),
        ("http://a\\@example.org/", "password"),
        ("http:///x", "no host"),
        ("http://example.org:25/", "port 25"),
        ("http://[::1", "no URL"),
        ("http://example.org/" + "x" * 3000, "characters"),
    ],
)
def test_an_address_that_is_none_or_leads_elsewhere_than_to_the_web_is_refused_with_its_reason(
    url: str, says: str
) -> None:
    with pytest.raises(NotPossible, match=says):
        read_url(url)


class Names:
    """A look-up that gives another answer each time, as a hostile name server does."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0).split()


def client(names: Names, *private: str) -> WebClient:
    return WebClient(most_bytes=10_000, timeout_s=BOUND_S, private=host_rule(private), lookup=names)


def deadline() -> float:
    return asyncio.get_running_loop().time() + BOUND_S


async def test_a_name_is_looked_up_once_and_the_request_goes_to_that_address_under_the_name() -> None:
    # The name means nothing to the system, so whoever looked it up again would find nobody.
    names = Names("127.0.0.1", "10.0.0.1")
    async with site({"/a": page("here", "text/plain")}) as at:
        url = f"http://page.invalid:{at.port}/a"
        found = await client(names, "page.invalid").get(url, deadline(), may_go=lambda _: True)
    assert found.content == b"here"
    assert names.asked == ["page.invalid"]
    assert at.asked[0][1]["host"] == f"page.invalid:{at.port}"


async def test_a_name_that_becomes_private_on_the_way_is_refused_at_the_next_hop() -> None:
    names = Names("127.0.0.1", "127.0.0.1")
    async with site({"/a": moved("http://rebound.invalid/secret")}) as at:
        with pytest.raises(NotPossible, match="private network"):
            await client(names, "page.invalid").get(
                f"http://page.invalid:{at.port}/a", deadline(), may_go=lambda _: True
            )
    assert names.asked == ["page.invalid", "rebound.invalid"]
    assert at.paths == ["/a"]


async def test_of_a_name_with_public_and_private_addresses_only_the_public_ones_are_used() -> None:
    found = await addresses_of(read_url("http://page.invalid/"), Names("10.0.0.1 8.8.8.8 ::1"), private=False)
    assert found == ["8.8.8.8"]


async def test_a_name_without_an_address_is_said_to_be_unknown() -> None:
    async def nobody(host: str, port: int) -> Sequence[str]:
        raise OSError("not known")

    with pytest.raises(NotPossible, match="not known"):
        await addresses_of(read_url("http://page.invalid/"), nobody, private=False)


@pytest.mark.parametrize(("name", "answers"), [("page.invalid", True), ("other.invalid", False)])
async def test_a_certificate_must_be_that_of_the_name_and_not_of_the_address(
    name: str, answers: bool, tmp_path: Path
) -> None:
    pem = tmp_path / "both.pem"
    pem.write_bytes(self_signed(["page.invalid"]))
    serves = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serves.load_cert_chain(pem)
    trusts = ssl.create_default_context(cafile=str(pem))
    async with site({"/a": page("here", "text/plain")}, ssl=serves) as at:
        web = WebClient(
            most_bytes=100, timeout_s=BOUND_S, private=host_rule([name]), lookup=Names("127.0.0.1"), tls=trusts
        )
        asking = web.get(f"https://{name}:{at.port}/a", deadline(), may_go=lambda _: True)
        if answers:
            assert (await asking).content == b"here"
        else:
            with pytest.raises(NotPossible, match="does not answer"):
                await asking
