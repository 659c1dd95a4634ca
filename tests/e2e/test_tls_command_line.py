"""The command line against a gateway with TLS, and the link that lets a phone in."""

import re
from pathlib import Path

import pytest

from support.served import cetp, served

LINK = re.compile(r"cetp://pair\?\S+")
FAR = {"CETP_SERVER_PUBLIC_URL": "https://127.0.0.1:1"}


async def test_on_its_own_machine_tls_needs_no_further_word(tmp_path: Path) -> None:
    async with served(tmp_path, "--tls", "self-signed") as gateway:
        address = gateway.url.removeprefix("https://")
        for words in (("devices",), ("tools", "--json"), ("chat", "--json", "hello")):
            ended = await cetp(*words, "--gateway", address, folder=tmp_path)
            assert ended.code == 0, ended.err


async def test_the_link_of_the_gateway_pairs_over_its_pinned_key(tmp_path: Path) -> None:
    async with served(tmp_path, "--tls", "self-signed", **FAR) as gateway:
        shown = await gateway.cetp("pair", "--no-wait")
        (link,) = LINK.findall(shown.err)
        here = link.replace("https://127.0.0.1:1&", f"{gateway.url}&")
        paired = await gateway.cetp("pair", "--link", here, "--name", "kitchen tablet")
        assert paired.code == 0, paired.err
        token, pin = paired.out.strip(), here.rpartition("pin=")[2].replace("%3D", "=").replace("%2B", "+")
        listed = await gateway.cetp("tools", "--pin", pin, CETP_TOKEN=token)
        assert listed.code == 0, listed.err
        wrong = await gateway.cetp("tools", CETP_TOKEN=token, CETP_PIN=f"sha256/{'A' * 43}=")
        assert (wrong.code, "another key" in wrong.err) == (1, True)
        assert shown.out.strip() not in (tmp_path / "serve.log").read_text()


async def test_an_authority_of_ones_own_is_named_with_ca(tmp_path: Path) -> None:
    async with served(tmp_path, "--tls", "self-signed") as gateway:
        pem = tmp_path / "data" / "cetp" / "tls.pem"
        listed = await gateway.cetp("devices", "--ca", str(pem))
        assert listed.code == 0, listed.err
        assert (await gateway.cetp("devices", "--ca", str(tmp_path / "none.pem"))).code == 1


async def test_the_code_stays_alone_on_standard_output_and_the_qr_code_is_asked_for(tmp_path: Path) -> None:
    async with served(tmp_path, **FAR) as gateway:
        plain = await gateway.cetp("pair", "--no-wait")
        assert re.fullmatch(r"\d{4}-\d{4}-\d{4}\n", plain.out)
        assert "█" not in plain.err
        drawn = await gateway.cetp("pair", "--no-wait", "--qr")
        assert re.fullmatch(r"\d{4}-\d{4}-\d{4}\n", drawn.out)
        assert drawn.err.count("█") > 100


async def test_a_gateway_that_no_phone_reaches_says_so_instead_of_a_link(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway:
        shown = await gateway.cetp("pair", "--no-wait", "--qr")
        assert shown.code == 0
        assert not LINK.search(shown.err)
        assert "--host 0.0.0.0" in shown.err


async def test_serving_others_without_tls_is_said_at_the_start(tmp_path: Path) -> None:
    async with served(tmp_path, "--host", "0.0.0.0") as gateway:
        assert await gateway.terminate() == 0
    assert "Unencrypted" in (tmp_path / "serve.log").read_text()


@pytest.mark.parametrize("link", ["cetp://pair?code=1234-5678-9012", "https://example.org"])
async def test_a_link_that_is_none_is_refused_in_one_line(link: str, tmp_path: Path) -> None:
    ended = await cetp("pair", "--link", link, folder=tmp_path)
    assert ended.code == 1
    assert "pairing link" in ended.err
    assert "Traceback" not in ended.err


async def test_a_virtual_phone_comes_in_over_a_pinned_key(tmp_path: Path) -> None:
    async with served(tmp_path, "--tls", "self-signed", **FAR) as gateway:
        shown = await gateway.cetp("pair", "--no-wait")
        (link,) = LINK.findall(shown.err)
        here = link.replace("https://127.0.0.1:1&", f"{gateway.url}&")
        token = (await gateway.cetp("pair", "--link", here)).out.strip()
        pin = here.rpartition("pin=")[2].replace("%3D", "=").replace("%2B", "+")
        wrong = await gateway.cetp("phone", "--once", "--pin", f"sha256/{'A' * 43}=", CETP_TOKEN=token)
        assert (wrong.code, "another key" in wrong.err) == (1, True)
        refused = await gateway.cetp("phone", "--once", "--json", "--pin", pin, CETP_TOKEN="0" * 64)
        assert (refused.code, "token" in refused.err) == (1, True)
