"""Which Host and Origin pass, and who counts as local."""

import socket

import pytest

from cetp_gateway.server.door.hosts import HostCheck, parse_authority
from cetp_gateway.server.door.local import is_local
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.requests.headers import read_headers
from cetp_gateway.settings.schema import ServerSettings


def passes(host: str | None, origin: str | None = None, **settings: tuple[str, ...]) -> bool:
    headers = {b"host": host.encode()} if host is not None else {}
    if origin is not None:
        headers[b"origin"] = origin.encode()
    check = HostCheck(ServerSettings(**settings))  # type: ignore[arg-type]
    try:
        check.check(headers)
    except HttpError as error:
        return error.status != 403
    return True


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:42617", "192.168.1.20:42617", "[::1]:42617", "[fe80::1]", "localhost", "LOCALHOST.:80"],
)
def test_addresses_and_localhost_pass(host: str) -> None:
    assert passes(host)


def test_the_machines_own_names_pass() -> None:
    name = socket.gethostname()
    assert passes(f"{name}:42617")
    assert passes(f"{name.partition('.')[0]}.local")


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "evil.example",
        "evil.example:42617",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhost:80@evil.example",
        "localhost:x",
        "[::1",
        "[::1]x",
        "127.1",
        "é.example",
    ],
)
def test_any_other_host_is_refused(host: str | None) -> None:
    assert not passes(host)


def test_a_host_of_the_settings_passes() -> None:
    assert passes("box.lan:42617", allowed_hosts=("Box.lan",))
    assert not passes("other.lan", allowed_hosts=("box.lan",))


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:42617", "http://localhost:42617"),
        ("localhost", "http://localhost:80"),
        ("192.168.1.20", "https://192.168.1.20"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_gateways_own_pages_pass(host: str, origin: str) -> None:
    assert passes(host, origin)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://evil.example",
        "http://localhost:42618",
        "http://localhost",
        "http://localhost:42617.evil.example",
        "file://localhost:42617",
        "localhost:42617",
    ],
)
def test_pages_of_other_origins_are_refused(origin: str) -> None:
    assert not passes("localhost:42617", origin)


def test_an_origin_of_the_settings_passes() -> None:
    assert passes("localhost", "https://app.example", allowed_origins=("https://App.example/",))


@pytest.mark.parametrize(
    ("text", "authority"),
    [
        ("Host:1", ("host", 1)),
        ("host.", ("host", None)),
        ("[::1]", ("::1", None)),
        ("a:b:c", None),
        (":1", None),
        ("host:", ("host", None)),
        ("host:٣", None),
    ],
)
def test_an_authority_is_split_or_refused(text: str, authority: tuple[str, int | None] | None) -> None:
    assert parse_authority(text) == authority


def local(peer: str | None = "127.0.0.1", **headers: str) -> bool:
    pairs = {"host": "127.0.0.1:42617"} | {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {
        "client": None if peer is None else (peer, 5000),
        "headers": [(name.encode(), value.encode()) for name, value in pairs.items()],
    }
    return is_local(scope, read_headers(scope))


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
def test_a_straight_caller_over_loopback_is_local(peer: str) -> None:
    assert local(peer)


@pytest.mark.parametrize("peer", [None, "192.168.1.9", "::ffff:192.168.1.9", "not-an-address"])
def test_a_caller_from_elsewhere_is_not_local(peer: str | None) -> None:
    assert not local(peer)


@pytest.mark.parametrize(
    "name", ["forwarded", "x_forwarded_for", "x_forwarded_proto", "x_forwarded", "via", "x_real_ip"]
)
def test_a_proxied_caller_is_not_local(name: str) -> None:
    assert not local(**{name: "anything"})


@pytest.mark.parametrize("host", ["192.168.1.20", "box.local", "evil.example", ""])
def test_a_caller_that_uses_another_name_than_loopbacks_is_not_local(host: str) -> None:
    assert not local(host=host)


def test_a_page_of_another_origin_is_not_local() -> None:
    assert local(origin="http://127.0.0.1:42617")
    assert not local(origin="https://app.example")
    assert local(sec_fetch_site="same-origin")
    assert not local(sec_fetch_site="cross-site")


def test_a_header_that_decides_who_may_enter_stands_once() -> None:
    with pytest.raises(HttpError, match="host") as refused:
        read_headers({"headers": [(b"host", b"localhost"), (b"host", b"evil.example")]})
    assert refused.value.status == 400
    assert read_headers({"headers": [(b"x", b"1"), (b"x", b"2")]}) == {b"x": b"2"}
