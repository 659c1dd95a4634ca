"""What must hold for every APK before it is given away."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from .module import Module
from .r8 import R8
from .tools import StepFailed, run

_LIMITS = {"app": 3 << 20, "sample": 1 << 20}
"""Bytes of an APK, by module."""

_OPTIONAL = ("org.bouncycastle.", "org.conscrypt.", "org.openjsse.")
"""Packages of TLS providers that OkHttp looks for and does without."""

_NEWER_CALLS = Path(__file__).with_name("newer_calls.toml")


def check_code(module: Module, dex: list[Path], r8: R8, newest: Path, oldest: Path) -> None:
    """The dex files against the framework of the target and that of the oldest Android they may run on.

    Raises:
        StepFailed: they name what is not there, or call what older Androids lack without being listed.
    """
    _refuse("names what exists nowhere", _needed(r8.missing(dex, newest)))
    newer = _needed(r8.missing(dex, oldest))
    guarded = tomllib.loads(_NEWER_CALLS.read_text(encoding="utf-8"))
    known = {call for calls in guarded.values() for call in calls}
    _refuse(
        f"calls what Android's API {module.min_sdk} lacks; look at SDK_INT first, then list it in {_NEWER_CALLS.name}",
        {call: place for call, place in newer.items() if call not in known},
    )
    own = {call for owner in guarded if owner == module.name for call in guarded[owner]}
    _refuse(f"no longer does what {_NEWER_CALLS.name} lists", dict.fromkeys(own - newer.keys(), module.name))
    _refuse("holds instructions that Android 8 lacks", dict.fromkeys(_dynamic_calls(dex), "see dexdump -d"))
    _refuse("holds AndroidX", dict.fromkeys(_classes(dex, "androidx/"), "the class list"))


def check_file(module: Module, apk: Path) -> None:
    """The signed file: its signature, alignment and size.

    Raises:
        StepFailed: one of them is wrong.
    """
    run("zipalign", "-c", "-p", "4", apk)
    said = run("apksigner", "verify", "--verbose", "--min-sdk-version", str(module.min_sdk), apk)
    for scheme in ("v2", "v3"):
        if f"Verified using {scheme} scheme (APK Signature Scheme {scheme}): true" not in said:
            raise StepFailed(f"{apk.name} is not signed with scheme {scheme}:\n{said}")
    if apk.stat().st_size > _LIMITS[module.name]:
        raise StepFailed(f"{apk.name} has {apk.stat().st_size} bytes; at most {_LIMITS[module.name]} are allowed")


def _needed(missing: dict[str, str]) -> dict[str, str]:
    return {name: place for name, place in missing.items() if not any(package in name for package in _OPTIONAL)}


def _refuse(reason: str, found: dict[str, str]) -> None:
    if found:
        lines = [f"  {name}\n      in {place}" for name, place in sorted(found.items())]
        raise StepFailed(f"the code {reason}:\n" + "\n".join(lines))


def _dynamic_calls(dex: list[Path]) -> Iterator[str]:
    for file in dex:
        yield from {line.strip() for line in run("dexdump", "-d", file).splitlines() if "invoke-custom" in line}


def _classes(dex: list[Path], package: str) -> Iterator[str]:
    for file in dex:
        yield from {line.strip() for line in run("dexdump", file).splitlines() if f"descriptor  : 'L{package}" in line}
