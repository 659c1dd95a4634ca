"""Which browser is taken, and what people are told when there is none."""

import subprocess
import sys
from pathlib import Path

import pytest

from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser import BrowserSettings, find_chromium, open_browser


def program(folder: Path, name: str) -> Path:
    file = folder / name
    file.write_text("#!/bin/sh\nexit 3\n")
    file.chmod(0o700)
    return file


def test_the_browser_that_is_named_comes_before_that_of_the_environment_and_those_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, variable, on_path = (program(tmp_path, name) for name in ("named", "variable", "google-chrome"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM_PATH", raising=False)
    assert find_chromium() == on_path
    monkeypatch.setenv("CHROMIUM_PATH", str(variable))
    assert find_chromium() == variable
    assert find_chromium(str(named)) == named


def test_a_missing_browser_is_told_with_the_way_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM_PATH", raising=False)
    with pytest.raises(BrowserUnusable, match="apt-get install chromium"):
        find_chromium()
    monkeypatch.setenv("CHROMIUM_PATH", "/no/such/browser")
    with pytest.raises(BrowserUnusable, match="CHROMIUM_PATH"):
        find_chromium()


async def test_a_browser_that_does_not_start_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BrowserUnusable, match="broken did not start") as raised:
        async with open_browser(BrowserSettings(executable=str(program(tmp_path, "broken")))):
            pass
    assert "\n" not in raised.value.message


def test_playwright_is_not_loaded_before_a_browser_is_opened() -> None:
    code = "import cetp_gateway.pipe.browser, sys; assert 'playwright' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)


def test_a_missing_playwright_is_told_with_the_way_to_get_it() -> None:
    code = (
        "import sys, asyncio, cetp_gateway.pipe.browser as browser\n"
        # As if it were not installed: nothing is found from now on but what the standard library has.
        "sys.path[:] = [path for path in sys.path if 'site-packages' not in path]\n"
        "async def main():\n    async with browser.open_browser(): pass\n"
        "try: asyncio.run(main())\nexcept Exception as error: print(error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert "pip install 'cetp-toolkit[browser]'" in ended.stdout
