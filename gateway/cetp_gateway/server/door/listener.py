"""uvicorn as this gateway needs it: opened, run and closed step by step, signals left to the caller.

Its settings are those that were measured: httptools, no access log, no compression of frames (41 KiB per phone and
up to 60 times the CPU on large results), its own binding of the port (which sets TCP_NODELAY).
"""

import asyncio
from socket import socket

import uvicorn
from starlette.types import ASGIApp

from cetp_gateway.devices import DeviceConnection
from cetp_gateway.errors import CetpError
from cetp_gateway.server.door.tls import Tls
from cetp_gateway.settings import Settings

CANCEL_GRACE_S = 1.0
"""Time for cancelled requests and sockets to store what they have."""


class CannotListen(CetpError):
    """The address is taken or not this machine's."""

    code = "CANNOT_LISTEN"


class Listener(uvicorn.Server):
    """`open`, then `run` until told to stop."""

    def __init__(self, app: ASGIApp, settings: Settings, tls: Tls | None = None) -> None:
        super().__init__(_config(app, settings, tls))

    async def open(self) -> int:
        """Bind and listen; gives the port.

        Raises:
            CannotListen: the address is taken or not this machine's.
        """
        self.config.load()
        self.lifespan = self.config.lifespan_class(self.config)
        try:
            await self.startup()
        except SystemExit:
            # uvicorn ends the process here, having logged the system's own words.
            raise CannotListen(
                f"Cannot listen on {self.config.host}:{self.config.port}: it is taken, or not an address of this "
                "machine. Choose another with --port (0 takes a free one) or --host."
            ) from None
        listening: socket = self.servers[0].sockets[0]
        return int(listening.getsockname()[1])

    async def run_until(self, stopping: asyncio.Event) -> None:
        """Serve until the event is set, then close: sockets with 1012, requests within the grace."""
        ticking = asyncio.create_task(self.main_loop())
        await stopping.wait()
        self.should_exit = True
        await ticking
        await self.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=CANCEL_GRACE_S)


def _config(app: ASGIApp, settings: Settings, tls: Tls | None) -> uvicorn.Config:
    server, limits = settings.server, settings.limits
    return uvicorn.Config(
        app,
        host=server.host,
        port=server.port,
        http="httptools",
        ws=DeviceConnection,
        ws_max_size=limits.message_bytes,
        ws_ping_interval=server.ping_interval_s,
        ws_ping_timeout=server.ping_timeout_s,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(server.shutdown_grace_s)),
        ssl_context_factory=(lambda _config, _default: tls.context) if tls else None,
    )
