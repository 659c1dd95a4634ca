"""A gateway that listens: the assembled runtime behind uvicorn, for the length of a block.

Above: the command line, the demo, tests. Below: app, assemble.
"""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from cetp_gateway.api import ModelProvider
from cetp_gateway.assemble import Parts, Runtime, SettingsWatch, assemble
from cetp_gateway.errors import StorageError
from cetp_gateway.loopback import is_loopback
from cetp_gateway.server.app import Application
from cetp_gateway.server.chat.chat_endpoint import ChatEndpoint
from cetp_gateway.server.chat.notices import Notices
from cetp_gateway.server.chat.settling import Settling
from cetp_gateway.server.door.listener import Listener
from cetp_gateway.server.door.reach import check_public_url, reach
from cetp_gateway.server.door.tls import Tls, prepare_tls
from cetp_gateway.server.service import Doorplate, Service
from cetp_gateway.settings import Settings, SettingsSource

FLUSH_INTERVAL_S = 30.0
"""Between two writes of the devices' last signs of life."""

_log = logging.getLogger(__name__)


class Gateway:
    """A gateway that answers, until `stop` is called."""

    def __init__(self, runtime: Runtime, tls: Tls | None = None) -> None:
        self.runtime = runtime
        self.settings_watch = SettingsWatch(runtime.reloading, runtime.settings)
        self._tls = tls
        self.port = 0
        """The port it listens on, which the system may have chosen."""
        self.stopping = asyncio.Event()
        """Set once the gateway has been told to end, by whomever."""

    @property
    def url(self) -> str:
        """Its address as seen from this machine."""
        host = self.runtime.settings.server.host
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
        return f"{'https' if self._tls else 'http'}://{shown}:{self.port}"

    @property
    def tells_secrets(self) -> bool:
        """Do tokens and results travel unencrypted to other machines? Not when a proxy says that it encrypts."""
        server = self.runtime.settings.server
        for_others = not is_loopback(server.host)
        return for_others and self._tls is None and not server.public_url.startswith("https:")

    def doorplate(self) -> Doorplate:
        """What phones are told of the way in."""
        found = reach(self.runtime.settings.server, self.port, encrypted=self._tls is not None)
        secure = found.url is not None and found.url.startswith("https:")
        return Doorplate(found.url, self._tls.pin() if self._tls and secure else None, found.advice)

    def stop(self) -> None:
        """End in order: sockets are closed with 1012, open requests get `server.shutdown_grace_s`."""
        self.stopping.set()


@asynccontextmanager
async def gateway(
    settings: Settings,
    *,
    data_folder: Path,
    config_file: Path,
    model: ModelProvider | None = None,
    parts: Parts | None = None,
    source: SettingsSource | None = None,
) -> AsyncIterator[Gateway]:
    """Listen for the length of a block; see `assemble` for the arguments and further errors.

    Raises:
        CannotListen: the address is taken or not this machine's.
        SettingsError: `server.tls` or `server.public_url` cannot be followed.
    """
    check_public_url(settings.server)
    tls = prepare_tls(settings.server, data_folder)
    async with assemble(
        settings, data_folder=data_folder, config_file=config_file, model=model, parts=parts, source=source
    ) as runtime:
        running = Gateway(runtime, tls)
        service = Service(runtime, stop=running.stop, doorplate=running.doorplate)
        listener = Listener(Application(service, ChatEndpoint(service)), settings, tls)
        running.port = await listener.open()
        _freeze()
        serving = asyncio.create_task(listener.run_until(running.stopping))
        keeping = [
            asyncio.create_task(_keep_signs_of_life(runtime)),
            asyncio.create_task(running.settings_watch.run()),
        ]
        try:
            with Notices(runtime.registry, runtime.devices), Settling(runtime.registry):
                yield running
        finally:
            running.stop()
            # Nobody is asked any more: calls that wait for a person end now and not with the grace for requests.
            runtime.policy.ask_nobody()
            for task in keeping:
                task.cancel()
            await asyncio.gather(*keeping, return_exceptions=True)
            await serving
            await _flush(runtime)


_YOUNG_OBJECTS = 20_000
"""New objects before the collector looks at them, in place of 700: requests leave no cycles behind."""


def _freeze() -> None:
    """What has been loaded by now stays: without this each full collection walks it again (tail latency)."""
    # Without a collection before: next to nothing would be found, and the search is a tenth of the whole start.
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)


async def _keep_signs_of_life(runtime: Runtime) -> None:
    while True:
        await asyncio.sleep(FLUSH_INTERVAL_S)
        await _flush(runtime)


async def _flush(runtime: Runtime) -> None:
    try:
        await runtime.paired.flush()
    except StorageError as error:
        _log.warning("the devices' last signs of life could not be stored: %s", error)
