"""`cetp serve`: run a gateway."""

import asyncio
import logging
import signal
import sys
from pathlib import Path
from typing import Any

import click

from cetp_gateway.settings import Settings, SettingsSource, default_config_file, default_data_folder

_NOISY = ("uvicorn.error", "httpx", "httpcore", "anthropic")
"""Libraries whose INFO lines say nothing to an owner of a gateway."""


@click.command("serve", epilog="Example: CETP_MODEL_PROVIDER=ollama CETP_MODEL_NAME=qwen3 cetp serve --host 0.0.0.0")
@click.option("--host", help="Address to listen on; 0.0.0.0 for the whole LAN. [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="0 takes a free one and prints it. [default: 42617]")
@click.option(
    "--tls",
    type=click.Choice(["off", "self-signed", "files"]),
    help="Encrypt: with a certificate of its own making, which phones learn from the pairing link, or with the files "
    "that server.tls_certificate and server.tls_key name. [default: off]",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    envvar="CETP_CONFIG",
    show_envvar=True,
    help="Settings file. [default: cetp.toml in the data folder or the user's config folder]",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="CETP_DATA",
    show_envvar=True,
    help="Folder of the database. [default: the user's data folder]",
)
def serve_command(host: str | None, port: int | None, tls: str | None, config: Path | None, data: Path | None) -> None:
    """Run a gateway until Ctrl-C or SIGTERM.

    Every setting can stand in the settings file or in the environment as CETP_SECTION_KEY, for instance
    CETP_MODEL_API_KEY. Changes of the file take effect while the gateway runs, at once with `cetp reload` or SIGHUP.
    """
    data = data or default_data_folder()
    if config is not None and not config.exists():
        raise click.ClickException(f"There is no settings file {config}.")
    config = config or default_config_file(data)
    server: dict[str, Any] = {
        key: value for key, value in (("host", host), ("port", port), ("tls", tls)) if value is not None
    }
    source = SettingsSource(config, overrides={"server": server})
    settings = source.read()
    _log_to_stderr(settings.log.level)
    run_event_loop(_serve(settings, data, source, config))


def run_event_loop(work: Any) -> Any:
    """`asyncio.run` on uvloop, which makes a tool call a third cheaper, where there is one."""
    if sys.platform == "win32":
        return asyncio.run(work)
    import uvloop  # noqa: PLC0415  (not installed on Windows)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def _serve(settings: Settings, data: Path, source: SettingsSource, config: Path) -> None:
    # The server's room is heavy; help texts and refused settings do not wait for it.
    from cetp_gateway.server.serve import gateway  # noqa: PLC0415

    async with gateway(settings, data_folder=data, config_file=config, source=source) as running:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, running.stop)
        loop.add_signal_handler(signal.SIGHUP, running.settings_watch.ask)
        running.runtime.reloading.subscribe(lambda changed: logging.getLogger().setLevel(changed.log.level.upper()))
        model = running.runtime.model
        click.echo(f"CETP gateway at {running.url} (model: {model.provider} {model.model}; data: {data})")
        if not settings.server.require_pairing:
            click.echo("Pairing is off: whoever reaches this port may use every phone's tools.", err=True)
        if running.tells_secrets:
            click.echo(
                "Unencrypted: right inside a private network only. Encrypt with: cetp serve --tls self-signed", err=True
            )
        if settings.server.require_pairing and not running.runtime.paired.list():
            click.echo("No device is paired yet. On this machine: cetp pair")
        sys.stdout.flush()
        await running.stopping.wait()


def _log_to_stderr(level: str) -> None:
    logging.basicConfig(
        level=level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
