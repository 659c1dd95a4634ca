"""The pictures of the documentation: those of the bridge's screens that its tests draw."""

import shutil
import tempfile
from pathlib import Path

from android.apk.module import ROOT

from . import maven

FOLDER = ROOT / "docs" / "screens"
"""Where the pictures are kept."""

_LIGHT = (
    "status",
    "waiting",
    "apps",
    "app",
    "requests",
    "approval",
    "question",
    "calls",
    "pairing",
    "link",
    "doctor",
)
_DARK = ("apps", "approval", "calls")
_CHINESE = ("status", "app", "approval", "doctor")
_KEPT = (
    *(f"{name}-light" for name in _LIGHT),
    *(f"{name}-dark" for name in _DARK),
    *(f"{name}-zh" for name in _CHINESE),
)


def draw() -> None:
    """Draw every screen anew, and keep the pictures that the documentation shows.

    Raises:
        StepFailed: a screen could not be drawn.
    """
    with tempfile.TemporaryDirectory() as drawn:
        only = ("-Dtest=PicturesTest", "-Dsurefire.failIfNoSpecifiedTests=false")
        maven.run("test", ["app"], *only, f"-Dpictures={drawn}")
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name in _KEPT:
            shutil.copyfile(Path(drawn, f"{name}.png"), FOLDER / f"{name}.png")
