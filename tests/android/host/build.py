"""Building and testing the modules that changed since their tests last passed."""

import shutil
from pathlib import Path

from android.apk import assembly, module
from android.apk.r8 import R8
from android.apk.tools import StepFailed

from . import java, maven, modules, tests_run

NEWER_JAVA = 21
"""What the framework of Android 16 needs."""

_COMPILED = maven.OUT / "compiled"
"""The state of the sources that the classes of all modules were last compiled from."""

_PHONE = maven.OUT / "phone" / "compiled"
"""The same for the phone and what it stands on."""


def apks() -> None:
    """Compile what changed since, and write the checked APKs.

    Raises:
        StepFailed: something does not compile, or an APK does not pass its checks.
    """
    state = _compiled_state()
    if not _COMPILED.is_file() or _COMPILED.read_text("ascii") != state:
        maven.run("compile", modules.SOURCES)
        _COMPILED.write_text(state, "ascii")
    java_home = java.on_path()
    for name in ("app", "sample"):
        android = module.read(name)
        assembly.assemble(
            android, assembly.Compiled(maven.OUT / name), R8(maven.tool("r8"), java_home, android.min_sdk)
        )


def phone() -> None:
    """Compile the phone that Python talks to, and what it stands on, if anything of that changed.

    Raises:
        StepFailed: something does not compile.
    """
    state = modules.state(modules.PHONE, tests=False)
    if not _PHONE.is_file() or _PHONE.read_text("ascii") != state:
        print("Compiling the phone; this takes a minute or two.", flush=True)
        maven.run("process-test-resources", (modules.PHONE,))
        _PHONE.write_text(state, "ascii")


def _compiled_state() -> str:
    return "\n".join(modules.state(name, tests=False) for name in modules.SOURCES)


def test() -> None:
    """Compile and test every module that is not proven yet.

    Raises:
        StepFailed: something does not compile, or a test failed, or no test ran.
    """
    newer = java.newest(NEWER_JAVA)
    states = {name: modules.state(name, f"{newer}") for name in (*modules.SOURCES, modules.PHONE)}
    compiled = _compiled_state()
    changed = [name for name, state in states.items() if _proof(name).read_text("ascii") != state]
    if changed:
        _forget(changed)
        proven = [f"-D{name}.proven=true" for name in modules.SOURCES if name not in changed]
        maven.run("test", changed, *proven, *([f"-Dnewer.java={newer}"] if newer else []))
        _COMPILED.write_text(compiled, "ascii")
        _PHONE.write_text(modules.state(modules.PHONE, tests=False), "ascii")
    for name, state in states.items():
        if name != modules.PHONE:
            print(_summary(name, newer, fresh=name in changed), flush=True)
        _proof(name).write_text(state, "ascii")
    if newer is None:
        print(_NO_ANDROID_16, flush=True)


_NO_ANDROID_16 = f"""\
*** NOT TESTED ON ANDROID 16: no Java of {NEWER_JAVA} or newer was found. Install one (Debian: openjdk-21-jdk-headless,
*** or Temurin) or name its folder in JAVA_HOME_{NEWER_JAVA}; Android 8 and 14 were tested."""


def _proof(name: str) -> Path:
    """The file that holds the state of a module when its tests last passed; empty when they never did."""
    file = maven.OUT / name / "proven"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    return file


def _forget(changed: list[str]) -> None:
    for name in changed:
        _proof(name).write_text("", "ascii")
        for reports in (maven.OUT / name).glob("surefire-reports*"):
            shutil.rmtree(reports)


def _summary(name: str, newer: Path | None, *, fresh: bool) -> str:
    default = tests_run.count(maven.OUT / name / "surefire-reports")
    if not default.ran and any((modules.source(name) / "test").rglob("*Test.kt")):
        raise StepFailed(f"{name}: no test ran")
    words = f"{name}: {default.ran} tests passed" + (f", {default.skipped} skipped" if default.skipped else "")
    if name != "core" and newer is not None:
        more = tests_run.count(maven.OUT / name / "surefire-reports-newer-java")
        if not more.ran:
            raise StepFailed(f"{name}: no test ran on Android 16")
        words += f" on Android 8 and 14, {more.ran} on Android 16"
    return words if fresh else f"{words} (unchanged since)"
