"""Kotlin's formatting, as `.editorconfig` wants it: ktlint."""

import subprocess

from android.apk.module import ROOT

from . import maven

_PATTERNS = (
    "*.kts",
    *(f"{module}/{files}" for module in ("android-bridge/*", "provider-sample") for files in ("*.kts", "src/**/*.kt")),
    "tests/android/*/src/**/*.kt",
)
_PATIENCE = 300


def check(*, put_right: bool) -> bool:
    """Whether all is well; what is not goes to the terminal, or is put right where that can be done."""
    command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", str(maven.tool("ktlint"))]
    command += ["--relative", "--log-level=error", *(["--format"] if put_right else []), *_PATTERNS]
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, timeout=_PATIENCE, check=False).returncode == 0
