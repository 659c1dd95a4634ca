"""Resources: compiled and linked into an APK without code, with `R.java` and the merged manifest beside it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from . import manifest, resource_table
from .module import Module
from .stamp import Stamp
from .tools import StepFailed, run

_KNOWN_WARNINGS = re.compile(
    # This aapt2 is of Android 10 and keeps these elements without knowing them.
    r"unexpected element <(queries|property)> found"
    r"|unexpected element <(intent|package|provider)> found in <manifest><queries>"
    r"|LoadedArsc"
)


def link(module: Module, flavour: str, framework: Path, tables: Path, out: Path) -> None:
    """Write `base.apk`, `AndroidManifest.xml`, `r/` and `test-resources/` below `out`; nothing when nothing changed.

    The framework's table is rewritten once, into the folder `tables`.

    Raises:
        StepFailed: a resource or the manifest is wrong, or aapt2 warned of something new.
    """
    sets = module.source_sets(flavour)
    manifests, folders = [each / "AndroidManifest.xml" for each in sets], [each / "res" for each in sets]
    stamp = Stamp(
        out / "resources.stamp", [*manifests, *folders, Path(__file__).parent, framework], f"{module} {flavour}"
    )
    if stamp.is_current():
        return
    out.mkdir(parents=True, exist_ok=True)
    merged = out / "AndroidManifest.xml"
    merged.write_text(manifest.merged(module, flavour), encoding="utf-8")
    _link(module, merged, list(_compiled(folders, out)), _include(framework, tables), out)
    _tell_robolectric(module, out)
    stamp.write()


def _compiled(folders: list[Path], out: Path) -> Iterator[Path]:
    for folder in folders:
        if not folder.is_dir():
            continue
        flat = out / f"{folder.parent.name}-res.zip"
        run("aapt2", "compile", "--dir", folder, "-o", flat)
        yield flat


def _include(framework: Path, folder: Path) -> Path:
    include = folder / f"{framework.stem}-table.apk"
    if not include.is_file():
        resource_table.write_include(framework, include)
    return include


def _link(module: Module, merged: Path, compiled: list[Path], include: Path, out: Path) -> None:
    generated = out / "r"
    shutil.rmtree(generated, ignore_errors=True)
    generated.mkdir()
    said = run(
        *("aapt2", "link", "-I", include, "--manifest", merged, "--java", generated, "-o", out / "base.apk"),
        *("--custom-package", module.namespace, "--warn-manifest-validation", "--auto-add-overlay"),
        *compiled,
    )
    new = [line for line in said.splitlines() if line.strip() and not _KNOWN_WARNINGS.search(line)]
    if new:
        raise StepFailed("aapt2 warned:\n" + "\n".join(new))


def _tell_robolectric(module: Module, out: Path) -> None:
    """Robolectric looks for this file on the class path, where Android Studio's build puts it too."""
    file = out / "test-resources" / "com" / "android" / "tools" / "test_config.properties"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f"android_merged_manifest={out / 'AndroidManifest.xml'}\n"
        f"android_resource_apk={out / 'base.apk'}\n"
        f"android_custom_package={module.namespace}\n",
        encoding="utf-8",
    )
