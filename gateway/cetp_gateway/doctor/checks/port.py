"""The port: free, or held by this very gateway."""

import asyncio
import errno
import socket
from collections.abc import Sequence
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok

ABOUT: Final = "port"


async def check_port(case: Case) -> Sequence[Finding]:
    if case.running is not None:
        return [ok(ABOUT, f"A gateway of version {case.running.version} answers at {case.running.url}.")]
    server = case.settings.server
    where = f"{server.host}:{server.port}"
    if server.port == 0:
        return [ok(ABOUT, "The system chooses a free one (server.port = 0).")]
    try:
        await asyncio.to_thread(_bind, server.host, server.port)
    except OSError as error:
        return [_failed(where, error)]
    return [ok(ABOUT, f"{where} is free; no gateway runs there.")]


def _bind(host: str, port: int) -> None:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as trying:
        trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        trying.bind(address)
        trying.listen(1)


def _failed(where: str, error: OSError) -> Finding:
    if error.errno == errno.EADDRINUSE:
        fix = f"Find it with: ss -ltnp 'sport = :{where.rpartition(':')[2]}', or set another server.port."
        return broken(ABOUT, f"Another program listens at {where}.", fix)
    if error.errno == errno.EACCES:
        return broken(ABOUT, f"This user may not listen at {where}.", "Take a server.port from 1024 up.")
    return broken(
        ABOUT, f"Nothing can listen at {where} ({error.strerror}).", "Set server.host to one of this machine's."
    )
