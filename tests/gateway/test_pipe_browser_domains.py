"""Domains of addresses: what a browser would make of them, and nothing for what programs read differently."""

import pytest

from cetp_gateway.pipe.browser.domains import domain_of, domain_of_origin


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://a.example/", "a.example"),
        ("https://A.Example", "a.example"),
        ("HTTP://a.example:80/x", "a.example"),
        ("https://a.example:443/", "a.example"),
        ("https://a.example:80/", "a.example:80"),
        ("http://a.example:8080?q#f", "a.example:8080"),
        ("http://a.example:/", "a.example"),
        ("http://a.example./", "a.example."),
        ("http://b_c.example/", "b_c.example"),
        ("http://a.example@evil.test/", "evil.test"),
        ("http://a.example:80@evil.test/", "evil.test"),
        ("http://x@a.example@evil.test/", "evil.test"),
        ("http://evil.test/@a.example", "evil.test"),
        ("http://evil.test#@a.example/", "evil.test"),
        ("http://evil.test?@a.example/", "evil.test"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("http://BÜCHER.example:81/", "xn--bcher-kva.example:81"),
        ("http://straße.example/", "xn--strae-oqa.example"),
        ("http://日本。example/", "xn--wgv71a.example"),
        ("http://ａ.example/", "a.example"),
        ("http://127.0.0.1:9/", "127.0.0.1:9"),
        ("http://[::1]/", "[::1]"),
        ("http://[2001:DB8:0:0:0:0:0:1]:81/", "[2001:db8::1]:81"),
    ],
)
def test_the_domain_of_an_address_is_that_of_its_origin(url: str, domain: str) -> None:
    assert domain_of(url) == domain


@pytest.mark.parametrize(
    "url",
    [
        "about:blank",
        "data:text/html,x",
        "file:///etc/passwd",
        "chrome://version",
        "javascript:alert(1)",
        "ftp://a.example/",
        "a.example/",
        "//a.example/",
        "http:a.example",
        "http:///a.example",
        "http://",
        "http://:80/",
        "http://@/",
        "http://evil.test\\@a.example/",
        "http:\\\\evil.test/",
        "http://evil.test\t.a.example/",
        "http://a.example\n@evil.test/",
        " http://a.example/",
        "http://a.example /",
        "http://a.example:65536/",
        "http://a.example:8o/",
        "http://a.example:80:81/",
        "http://%61.example/",
        "http://a..example/",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://127.0.0.1./",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::1]evil.test/",
        "http://" + "a" * 64 + ".example/",
    ],
)
def test_an_address_that_could_be_read_in_two_ways_has_no_domain(url: str) -> None:
    assert domain_of(url) is None


@pytest.mark.parametrize(
    ("origin", "domain"),
    [
        ("https://a.example", "a.example"),
        ("http://a.example:81", "a.example:81"),
        ("null", None),
        ("file://", None),
        ("chrome://version", None),
        ("", None),
    ],
)
def test_opaque_and_local_origins_have_no_domain(origin: str, domain: str | None) -> None:
    assert domain_of_origin(origin) == domain
