"""Finding a newer Java than the one on the PATH: Android 16's framework needs 21, the tests on Android 8 run on 17."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from android.apk.tools import StepFailed

_FOLDERS = (
    "/usr/lib/jvm/*",
    "/opt/*",
    "/opt/hostedtoolcache/Java_*/*/x64",
    "~/.sdkman/candidates/java/*",
    "~/.jdks/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)


def newest(at_least: int) -> Path | None:
    """The home of the newest Java of this machine, if it has version `at_least`."""
    found = [(version, home) for home in _homes() if (version := _version(home)) >= at_least]
    return max(found, default=(0, None))[1]


def on_path() -> Path:
    """The home of the JDK whose compiler is on the PATH.

    Raises:
        StepFailed: there is none.
    """
    compiler = shutil.which("javac")
    if compiler is None:
        raise StepFailed("no JDK is installed: run `make setup-android`")
    return Path(compiler).resolve().parents[1]


def _homes() -> Iterator[Path]:
    """`JAVA_HOME`, what CI services call `JAVA_HOME_21_X64` and the like, then the usual folders."""
    yield from (Path(value) for name, value in os.environ.items() if name.startswith("JAVA_HOME"))
    for pattern in _FOLDERS:
        start, _, rest = pattern.partition("*")
        folder = Path(start).expanduser()
        if folder.is_dir():
            yield from folder.glob(f"*{rest}")


def _version(home: Path) -> int:
    """The major version that a JDK says of itself; 0 when this is none."""
    try:
        words = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    said = re.search(r'^JAVA_VERSION="(\d+)', words, re.MULTILINE)
    return int(said[1]) if said and (home / "bin" / "java").exists() else 0
