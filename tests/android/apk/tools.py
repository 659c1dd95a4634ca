"""Running the tools that make an APK."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


class StepFailed(Exception):
    """A step of the build said no; the text is what its tool said."""


def run(*command: str | Path, patience: float = 600, environment: Mapping[str, str] | None = None) -> str:
    """Run a tool and return what it wrote.

    Args:
        command: the tool and its arguments.
        patience: seconds until it is ended.
        environment: variables besides those that are set.

    Raises:
        StepFailed: the tool failed, took too long or is not installed.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **(environment or {})},
            timeout=patience,
            check=False,
        )
    except FileNotFoundError:
        raise StepFailed(f"{words[0]} is not installed: run `make setup`") from None
    except subprocess.TimeoutExpired:
        raise StepFailed(f"{words[0]} took more than {patience:.0f} s") from None
    if done.returncode != 0:
        raise StepFailed(f"{' '.join(words[:3])} … failed ({done.returncode}):\n{done.stdout.strip()}")
    return done.stdout
