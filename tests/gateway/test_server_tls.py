"""TLS from start to socket: certificates, pins, and who is let in under which."""

import ssl
import stat
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from cetp_gateway.errors import SettingsError, StorageError
from cetp_gateway.server.door.certificate import pin_of, self_signed, vouches_for_itself
from cetp_gateway.server.door.pairing_link import read_pairing_link
from cetp_gateway.server.door.tls import FILE_NAME, prepare_tls
from cetp_gateway.server.serve import Gateway
from cetp_gateway.settings import ServerSettings
from support.whole import WITHIN_S, open_settings, rest, take, whole

SELF_SIGNED = {"tls": "self-signed"}


def trusting(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=certificate_of(folder / FILE_NAME))


def certificate_of(file: Path) -> str:
    return "-----BEGIN CERTIFICATE" + file.read_text().partition("-----BEGIN CERTIFICATE")[2]


def client(running: Gateway, folder: Path) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=running.url, verify=trusting(folder), trust_env=False, timeout=WITHIN_S)


async def test_a_self_signed_gateway_answers_over_tls_and_over_nothing_else(tmp_path: Path) -> None:
    async with whole(tmp_path, settings=open_settings(server=SELF_SIGNED)) as running:
        assert running.url.startswith("https://")
        async with client(running, tmp_path) as http:
            assert (await http.get("/health")).json()["status"] == "ok"
        async with httpx.AsyncClient(trust_env=False) as plain:
            with pytest.raises(httpx.TransportError):
                await plain.get(f"http://127.0.0.1:{running.port}/health")
            with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await plain.get(f"{running.url}/health")


async def test_the_chat_socket_works_over_tls_with_frames_large_and_small(tmp_path: Path) -> None:
    async with whole(tmp_path, settings=open_settings(server=SELF_SIGNED)) as running:
        url = f"wss://127.0.0.1:{running.port}/ws/chat"
        async with connect(url, ssl=trusting(tmp_path), compression=None, proxy=None, max_size=None) as socket:
            assert (await take(socket))["type"] == "session_start"
            tools = ",".join(f'{{"name":"t{n}","description":"{"d" * 5000}","parameters":{{}}}}' for n in range(100))
            await socket.send(f'{{"type":"register_tools","tools":[{tools}]}}')
            assert (await take(socket))["count"] == 100
            await socket.send('{"type":"get_registered_tools"}')
            assert len((await take(socket))["tools"]) == 100


async def test_a_gateway_with_tls_ends_in_order_and_tells_its_phones_to_come_back(tmp_path: Path) -> None:
    async with whole(tmp_path, settings=open_settings(server=SELF_SIGNED)) as running:
        url = f"wss://127.0.0.1:{running.port}/ws/chat"
        async with connect(url, ssl=trusting(tmp_path), compression=None, proxy=None) as socket:
            await take(socket)
            running.stop()
            await socket.wait_closed()
            assert socket.close_code == 1012


async def test_the_pairing_link_names_the_key_of_a_self_signed_gateway(tmp_path: Path) -> None:
    server = {**SELF_SIGNED, "require_pairing": True, "public_url": "https://192.168.1.7:42617"}
    async with whole(tmp_path, settings=open_settings(server=server)) as running, client(running, tmp_path) as http:
        answer = (await http.post("/admin/paircode/new")).json()
        link = read_pairing_link(answer["link"])
        assert (link.gateway, link.code) == ("https://192.168.1.7:42617", answer["pairing_code"])
        assert link.pin == pin_of(certificate_of(tmp_path / FILE_NAME).encode())
        assert (await http.get("/admin/paircode")).json()["link"] is None


async def test_a_gateway_for_its_own_machine_gives_no_link_and_says_what_to_change(tmp_path: Path) -> None:
    async with (
        whole(tmp_path, settings=open_settings(server={"require_pairing": True})) as running,
        rest(running) as http,
    ):
        answer = (await http.post("/admin/paircode/new")).json()
    assert answer["pairing_code"]
    assert (answer["link"], "--host 0.0.0.0" in answer["advice"]) == (None, True)


def test_the_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = prepare_tls(ServerSettings(tls="self-signed"), folder)
    second = prepare_tls(ServerSettings(tls="self-signed"), folder)
    assert first is not None
    assert second is not None
    assert first.pin() == second.pin()
    assert [file.name for file in folder.iterdir()] == [FILE_NAME]
    assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600


def test_a_data_folder_that_takes_no_certificate_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"tls\.pem"):
        prepare_tls(ServerSettings(tls="self-signed"), tmp_path / "file" / "data")


def test_a_certificate_of_ones_own_is_taken_from_files(tmp_path: Path) -> None:
    pem = self_signed(["box.example.org"]).decode()
    key, _, certificate = pem.partition("-----BEGIN CERTIFICATE")
    (tmp_path / "key.pem").write_text(key)
    (tmp_path / "certificate.pem").write_text(f"-----BEGIN CERTIFICATE{certificate}")
    server = ServerSettings(
        tls="files", tls_certificate=str(tmp_path / "certificate.pem"), tls_key=str(tmp_path / "key.pem")
    )
    tls = prepare_tls(server, tmp_path)
    assert tls is not None
    assert vouches_for_itself(pem.encode())
    assert tls.pin() == pin_of(pem.encode())


def test_files_that_are_missing_or_do_not_fit_are_named(tmp_path: Path) -> None:
    good, other = tmp_path / "good.pem", tmp_path / "other.pem"
    good.write_bytes(self_signed(["a"]))
    other.write_bytes(self_signed(["b"]))
    (tmp_path / "text.pem").write_text("no PEM")
    locked = tmp_path / "locked.pem"
    locked.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n")
    wrong = [
        ("", good, "tls_certificate"),
        (good, "", "tls_key"),
        (tmp_path / "none.pem", good, "tls_certificate"),
        (good, tmp_path / "none.pem", "tls_key"),
        (good, other, "tls_key"),
        (tmp_path / "text.pem", good, "tls_certificate"),
        (good, locked, "password"),
    ]
    for certificate, key, named in wrong:
        server = ServerSettings(tls="files", tls_certificate=str(certificate), tls_key=str(key))
        with pytest.raises(SettingsError, match=named):
            prepare_tls(server, tmp_path)


def test_a_broken_file_of_the_data_folder_is_not_replaced_silently(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("garbled")
    with pytest.raises(SettingsError, match="pair again"):
        prepare_tls(ServerSettings(tls="self-signed"), tmp_path)
    assert (tmp_path / FILE_NAME).read_text() == "garbled"
