"""What this machine allows: E and S, measured beside the gateway so that the figures are ratios inside one run."""

from collections.abc import Iterator
from contextlib import contextmanager

from .child import Child, process
from .cores import LOAD_CORE, SERVER_CORE
from .load import load
from .usage import cpu_us

_START_S = 20.0
_SLACK_S = 40.0
_IN_FLIGHT = 64


class Yardstick:
    """A server to compare with."""

    def __init__(self, server: Child) -> None:
        self._server = server
        self.port: int = server.value("READY", within_s=_START_S)["port"]

    def echo_round_trip_us(self, seconds: float) -> float:
        """E: median round trip of a 64-byte echo, `websockets` at both ends, on asyncio."""
        with process("echo_round_trip", self.port, seconds, core=LOAD_CORE) as client:
            return float(client.value("DONE", within_s=seconds + _SLACK_S)["p50_us"])

    def get_and_echo_cpu_us(self, seconds: float) -> float:
        """S: the server's processor time for one HTTP GET and one WebSocket echo, 64 in flight each."""
        get = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        http = load(self.port, self._server.pid, [get], in_flight=_IN_FLIGHT, seconds=seconds / 2).server_cpu_us
        before = cpu_us(self._server.pid)
        with process("socket_load", self.port, _IN_FLIGHT, seconds / 2, core=LOAD_CORE) as client:
            count = client.value("DONE", within_s=seconds + _SLACK_S)["count"]
        return http + (cpu_us(self._server.pid) - before) / float(count)


@contextmanager
def yardstick(kind: str) -> Iterator[Yardstick]:
    """Run a server of `processes.echo_servers`: websockets or uvicorn."""
    with process("echo_servers", kind, core=SERVER_CORE) as server:
        yield Yardstick(server)
