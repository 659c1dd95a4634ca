"""Running Maven on the host build."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from android.apk.module import BUILD, properties
from android.apk.tools import StepFailed

OUT = BUILD / "target"
"""Where everything is built."""

_PATIENCE = 1200
_DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"


def run(goal: str, modules: Iterable[str], *settings: str) -> None:
    """Run `goal` on `modules` and what they stand on; what Maven says goes to the terminal.

    Raises:
        StepFailed: Maven failed or took too long.
    """
    _maven(goal, "-pl", ",".join(modules), "-am", f"-Dout={OUT}", f"-Dpython={sys.executable}", *settings)


def tool(name: str) -> Path:
    """The jar of a tool, fetched at its first use; `name.artifact` in the pom says which.

    Raises:
        StepFailed: it could not be fetched.
    """
    artifact = properties("on-android")[f"{name}.artifact"]
    folder = OUT / "tools" / artifact.replace(":", "_")
    if not folder.is_dir():
        part = folder.with_suffix(".part")
        _maven(f"{_DEPENDENCY_PLUGIN}:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={part}", "--non-recursive")
        part.replace(folder)
    (jar,) = folder.glob("*.jar")
    return jar


def _maven(*words: str) -> None:
    command = ["mvn", "--batch-mode", "--quiet", "--no-transfer-progress", "-Dstyle.color=never", *words]
    # Its own heap and the compiler inside it; the tests' processes have theirs.
    environment = {
        "MAVEN_OPTS": "-Xmx1500m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m",
        **os.environ,
    }
    try:
        done = subprocess.run(
            command, cwd=BUILD, env=environment, stdin=subprocess.DEVNULL, timeout=_PATIENCE, check=False
        )
    except FileNotFoundError:
        raise StepFailed("Maven is not installed: run `make setup-android`") from None
    except subprocess.TimeoutExpired:
        raise StepFailed(f"Maven took more than {_PATIENCE} s") from None
    if done.returncode != 0:
        raise StepFailed("Maven failed, see above")
