"""What all tests share: nobody reaches beyond this machine, and no property depends on how fast it is."""

import ipaddress
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")


@pytest.fixture(autouse=True)
def only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that opens a socket to another machine fails at once."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not _is_loopback(str(address[0])):
            pytest.fail(f"a test tried to reach {address[0]}")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
