"""The gateway under test: `cetp serve` as a user starts it, on a core and with a data folder of its own, paired."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from .child import Child
from .cores import SERVER_CORE

START_S = 20.0
_GREETING = "CETP gateway at "
_open = build_opener(ProxyHandler({})).open
"""Without a proxy: everything is on this machine."""


class GatewayProcess(msgspec.Struct, frozen=True):
    """A running gateway and the token of a paired device."""

    pid: int
    port: int
    token: str


@contextmanager
def gateway_process(settings: Mapping[str, str] | None = None) -> Iterator[GatewayProcess]:
    """Run a gateway with its default settings, but for those given (CETP_SECTION_KEY)."""
    with tempfile.TemporaryDirectory(prefix="cetp-bench-") as folder, serve(Path(folder), settings) as child:
        port = listening_port(child)
        yield GatewayProcess(child.pid, port, pair(port))


def serve(folder: Path, settings: Mapping[str, str] | None = None) -> Child:
    """Start `cetp serve` on a free port, with the model that needs no network."""
    command = ("-m", "cetp_gateway.cli", "serve", "--port", "0", "--data", str(folder))
    return Child(*command, core=SERVER_CORE, settings={"CETP_MODEL_PROVIDER": "offline"} | dict(settings or {}))


def listening_port(child: Child) -> int:
    """Wait for a started gateway; its port."""
    url = child.line(_GREETING, within_s=START_S).split()[0]
    return int(url.rpartition(":")[2])


def get(port: int, path: str) -> bytes:
    """The body of an answer to GET."""
    with _open(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return bytes(answer.read())


def pair(port: int) -> str:
    """Pair a device; its token."""
    code = msgspec.json.decode(get(port, "/pair/code"))["pairing_code"]
    request = Request(f"http://127.0.0.1:{port}/pair", method="POST", headers={"X-Pairing-Code": code})
    with _open(request, timeout=10) as answer:
        return str(msgspec.json.decode(answer.read())["token"])
