"""Row 6: how long one registration or one call's arguments keep the gateway's event loop from everything else."""

import http.client
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from websockets.sync.client import ClientConnection, connect

from .child import Child, process
from .cores import SERVER_CORE
from .effort import Effort
from .gateway_process import START_S, pair
from .hostile import CALLED, Case, cases
from .processes.samples import median
from .table import STOP, Result

_WITHIN_S = 60.0
_WAIT_MS = 50
"""The phone never answers: what a call costs shows before it is sent."""
_SHOWN = 3


def measure(effort: Effort) -> Iterator[Result]:
    """The case with the longest stop; each counts by the median of its repetitions, which drops the machine's own."""
    stops: dict[str, list[float]] = {}
    with _watched() as watched:
        for turn in range(effort.repetitions):
            for case in cases(turn):
                stops.setdefault(case.name, []).append(watched.longest_stop_ms(case))
    ranked = sorted(((median(each), name) for name, each in stops.items()), reverse=True)
    yield Result(STOP, (ranked[0][0],), "; ".join(f"{name}: {stop:.1f}" for stop, name in ranked[:_SHOWN]))


@contextmanager
def _watched() -> Iterator["Watched"]:
    with (
        tempfile.TemporaryDirectory(prefix="cetp-bench-") as folder,
        process("watched_gateway", folder, core=SERVER_CORE) as gateway,
    ):
        port = gateway.value("READY", within_s=START_S)["port"]
        yield Watched(gateway, port, pair(port))


class Watched:
    """A gateway whose loop is watched, and a way to do a case to it."""

    def __init__(self, gateway: Child, port: int, token: str) -> None:
        self._gateway = gateway
        self._port = port
        self._token = token

    def longest_stop_ms(self, case: Case) -> float:
        """The longest round of the loop while the case lasts, its connections made and ended included."""
        self._take()
        headers = {"Authorization": f"Bearer {self._token}"}
        url = f"ws://127.0.0.1:{self._port}/ws/chat?session_id=hostile"
        with connect(url, additional_headers=headers, compression=None, proxy=None, max_size=None) as phone:
            phone.send(msgspec.json.encode({"type": "register_tools", "tools": case.tools}).decode())
            self._answer(phone)
            if case.arguments is not None:
                self._call(case)
        return self._take()

    def _answer(self, phone: ClientConnection) -> None:
        """Wait until the registration has been taken in, or refused as a whole."""
        while True:
            frame = phone.recv(_WITHIN_S, decode=False)
            if b'"tools_registered"' in frame or b'"error"' in frame:
                return

    def _call(self, case: Case) -> None:
        body = msgspec.json.encode({"arguments": case.arguments, "timeout_ms": _WAIT_MS})
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_WITHIN_S)
        try:
            connection.request("POST", f"/api/tools/{CALLED}/call", body, headers)
            connection.getresponse().read()
        finally:
            connection.close()

    def _take(self) -> float:
        """Ask for the longest round so far, and begin anew."""
        self._gateway.tell("?")
        return float(self._gateway.value("STOP", within_s=_WITHIN_S)["longest_ms"])
