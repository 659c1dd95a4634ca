"""Google's dexer and its checker, from R8's jar."""

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .stamp import digest
from .tools import StepFailed, run

_MISSING = re.compile(r"Missing (?:class|method|field) (.+) \(referenced from: (.*)\)\]?$", re.MULTILINE)


@dataclass(frozen=True)
class R8:
    """R8's jar, and the Java that runs it and stands for Android's `java.*`."""

    jar: Path
    java_home: Path
    min_sdk: int

    def dex(self, ours: list[Path], libraries: list[Path], framework: Path, out: Path) -> None:
        """Write `classes*.dex` into the folder `out`, emptied before; libraries are dexed once and kept beside it."""
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        words: list[str | Path] = ["--output", out, *ours, self._dexed(libraries, framework, out.parent)]
        for library in libraries:
            words += ["--classpath", library]
        self._d8(*words, framework=framework)

    def missing(self, dex: Iterable[Path], framework: Path) -> dict[str, str]:
        """Classes, methods and fields that the code names and neither it nor the framework has, with a place of use.

        Raises:
            StepFailed: the check itself did not run.
        """
        sources = [word for file in dex for word in ("--source", file)]
        try:
            self._run("tracereferences.TraceReferences", "--check", *self._libraries(framework), *sources)
        except StepFailed as failure:
            found: dict[str, str] = dict(_MISSING.findall(str(failure)))
            if not found:
                raise
            return found
        return {}

    def _dexed(self, libraries: list[Path], framework: Path, folder: Path) -> Path:
        kept = folder / f"libraries-{digest([self.jar, *libraries, framework], str(self.min_sdk))[:16]}.zip"
        if not kept.is_file():
            for old in folder.glob("libraries-*.zip"):
                old.unlink()
            part = folder / "part.zip"
            self._d8("--intermediate", "--output", part, *libraries, framework=framework)
            part.replace(kept)
        return kept

    def _d8(self, *words: str | Path, framework: Path) -> None:
        said = self._run("D8", "--release", "--min-api", str(self.min_sdk), *self._libraries(framework), *words)
        if said.strip():
            raise StepFailed(f"D8 warned:\n{said.strip()}")

    def _libraries(self, framework: Path) -> list[str | Path]:
        return ["--lib", framework, "--lib", self.java_home]

    def _run(self, program: str, *words: str | Path) -> str:
        # Runs of a few seconds: the second compiler would not pay.
        fast = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g")
        java = self.java_home / "bin" / "java"
        return run(java, *fast, "-cp", self.jar, f"com.android.tools.r8.{program}", *words)
