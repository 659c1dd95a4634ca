"""A gateway as a process of its own whose settings change: SIGHUP, the file, `cetp reload`, and a bad file."""

import asyncio
import signal
from pathlib import Path

from support.served import Served, served

WITHIN_S = 20.0


def settings_file(folder: Path) -> Path:
    file = folder / "data" / "cetp" / "cetp.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


async def logged(gateway: Served, words: str) -> str:
    """Wait until the gateway's log has these words; the line."""
    tail = await asyncio.create_subprocess_exec(
        "tail", "-n", "+1", "-F", gateway.folder / "serve.log", stdout=asyncio.subprocess.PIPE
    )
    assert tail.stdout is not None
    try:
        async with asyncio.timeout(WITHIN_S):
            while words not in (line := (await tail.stdout.readline()).decode()):
                assert line, "the log has ended"
        return line
    finally:
        tail.kill()
        await tail.communicate()


async def test_sighup_brings_new_settings_and_a_bad_file_is_told_with_its_line(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    file.write_text("[reload]\nwatch_s = 0\n")
    async with served(tmp_path) as gateway:
        file.write_text("[reload]\nwatch_s = 0\n[agent]\nmax_steps = 3\n")
        gateway.process.send_signal(signal.SIGHUP)
        assert "agent.max_steps" in await logged(gateway, "settings reloaded")
        file.write_text("[reload]\nwatch_s = 0\n[agent]\nmax_stps = 3\n")
        gateway.process.send_signal(signal.SIGHUP)
        line = await logged(gateway, "the settings stay as they were")
        assert "cetp.toml, line 4" in line
        assert "Did you mean max_steps" in line
        refused = await gateway.cetp("reload")
        assert (refused.code, "line 4" in refused.err) == (1, True)
        file.write_text("[server]\nport = 1\n[log]\nlevel = 'ERROR'\n")
        answered = await gateway.cetp("reload")
        assert answered.code == 0, answered.err
        assert "log.level" in (await gateway.cetp("reload", "--json")).out or "log.level" in answered.out
        assert await gateway.terminate() == 0


async def test_a_changed_file_is_in_force_without_anybody_asking(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    file.write_text("[reload]\nwatch_s = 0.1\n")
    async with served(tmp_path) as gateway:
        file.write_text("[reload]\nwatch_s = 0.1\n[tools]\ndenied = ['notes__*']\n")
        assert "tools.denied" in await logged(gateway, "settings reloaded")
