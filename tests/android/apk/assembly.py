"""The order of the steps: from compiled classes to checked APKs in `build/apk`."""

import sys
from dataclasses import dataclass
from pathlib import Path

from . import archive, checks, resources, signing
from .module import ROOT, Module
from .r8 import R8
from .stamp import Stamp
from .tools import run

TARGET = ROOT / "build" / "apk"


@dataclass(frozen=True)
class Compiled:
    """What Maven leaves of a module in its folder `out`."""

    out: Path

    @property
    def classes(self) -> list[Path]:
        """The folders of our own classes: this module's and those of the modules beneath it."""
        return [self.out / "classes", *(path for path in self._runtime() if path.is_dir())]

    @property
    def libraries(self) -> list[Path]:
        """Jars that run inside the app."""
        return [path for path in self._runtime() if path.suffix == ".jar"]

    @property
    def newest(self) -> Path:
        """The framework of the target."""
        return self._frameworks()[0]

    @property
    def oldest(self) -> Path:
        """The framework of the oldest Android that the app may run on."""
        return self._frameworks()[1]

    def _runtime(self) -> list[Path]:
        return [Path(word) for word in (self.out / "android" / "runtime.txt").read_text(encoding="utf-8").split(":")]

    def _frameworks(self) -> list[Path]:
        return [Path(line) for line in (self.out / "android" / "libraries.txt").read_text(encoding="utf-8").split()]


def assemble(module: Module, compiled: Compiled, r8: R8) -> None:
    """Write one APK for each flavour of a module, checked; nothing when nothing changed.

    Raises:
        StepFailed: a step or a check failed; no APK of this module is left then.
    """
    for flavour in module.flavours:
        resources.link(module, flavour, compiled.newest, compiled.out.parent, _linked(compiled, flavour))
    bases = [_linked(compiled, flavour) / "base.apk" for flavour in module.flavours]
    inputs = [*compiled.classes, *compiled.libraries, *bases, Path(__file__).parent, signing.KEY, r8.jar]
    stamp = Stamp(compiled.out / "apk.stamp", inputs, str(module))
    targets = {flavour: TARGET / f"{_name(module, flavour)}.apk" for flavour in module.flavours}
    if not (stamp.is_current() and all(target.is_file() for target in targets.values())):
        _assemble(module, compiled, r8, targets)
        Stamp(compiled.out / "apk.stamp", inputs, str(module)).write()
    for target in targets.values():
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1e6:.2f} MB, signed for development", flush=True)


def _assemble(module: Module, compiled: Compiled, r8: R8, targets: dict[str, Path]) -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    for target in targets.values():
        target.unlink(missing_ok=True)
    jars = [_jar(folder, compiled.out, number) for number, folder in enumerate(compiled.classes)]
    dex = compiled.out / "dex"
    r8.dex(jars, compiled.libraries, compiled.newest, dex)
    checks.check_code(module, sorted(dex.glob("*.dex")), r8, compiled.newest, compiled.oldest)
    for flavour, target in targets.items():
        linked = _linked(compiled, flavour)
        unsigned, signed = linked / "unsigned.apk", linked / "signed.apk"
        archive.pack(linked / "base.apk", dex, [*jars, *compiled.libraries], unsigned)
        signing.sign(unsigned, signed, module.min_sdk)
        checks.check_file(module, signed)
        run(Path(sys.executable).with_name("cetp"), "validate", "--strict", signed)
        signed.replace(target)


def _jar(folder: Path, out: Path, number: int) -> Path:
    jar = out / f"classes-{number}.jar"
    archive.jar_of(folder, jar)
    return jar


def _linked(compiled: Compiled, flavour: str) -> Path:
    return compiled.out / "linked" / flavour


def _name(module: Module, flavour: str) -> str:
    return module.name if flavour == "main" else flavour
