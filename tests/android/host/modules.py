"""The host build's modules: what each is made from and what lies beneath it."""

from collections.abc import Iterator
from pathlib import Path

from android.apk.module import BUILD, ROOT
from android.apk.stamp import digest

SOURCES = {"core": "android-bridge/core", "app": "android-bridge/app", "sample": "provider-sample"}
"""Every module and the folder that the Android Studio build calls by its name."""

PHONE = "phone"
"""The module with the phone that Python's tests talk to: it has no tests of its own."""

_BENEATH = {"core": (), "app": ("core",), "sample": (), PHONE: ("app", "core", "sample")}
_SHARED = [BUILD / "pom.xml", BUILD / "on-android", BUILD / "apk"]


def source(name: str) -> Path:
    """The folder of a module's source sets."""
    return ROOT / SOURCES[name] / "src"


def with_beneath(name: str) -> tuple[str, ...]:
    """A module and those that it stands on."""
    return (name, *_BENEATH[name])


def state(name: str, *words: str, tests: bool = True) -> str:
    """A digest of all that goes into a module, and into those beneath it; with what only its tests read, or without."""
    return digest([*_SHARED, *(path for part in with_beneath(name) for path in _inputs(part, tests))], *words)


def _inputs(name: str, tests: bool) -> Iterator[Path]:
    yield BUILD / name
    if name == PHONE:
        return
    if tests:
        yield from (source(name), ROOT / "cetp-spec" / "vectors", ROOT / "cetp-spec" / "contract.json")
    else:
        yield from (folder for folder in sorted(source(name).glob("*")) if folder.name != "test")
