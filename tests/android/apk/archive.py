"""ZIP files that come out the same, byte for byte, from the same contents."""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

_TIME = (1981, 1, 1, 1, 1, 2)
_SERVICES = "META-INF/services/"
_ONLY_FOR_BUILDS = ("META-INF/maven/", "META-INF/versions/", "META-INF/proguard/", "META-INF/com.android.tools/")
_ONLY_FOR_COMPILERS = (".class", ".kotlin_module", ".kotlin_builtins", ".kotlin_metadata", ".version")
_ONLY_FOR_READERS = ("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/DEPENDENCIES", "META-INF/INDEX.LIST")
_ALSO_LEFT_OUT = ("META-INF/MANIFEST.MF", "DebugProbesKt.bin")


class ConflictingResource(Exception):
    """Two libraries bring different files of one name."""


def jar_of(folder: Path, jar: Path) -> None:
    """Put a folder of classes into a jar."""
    with zipfile.ZipFile(jar, "w") as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            _put(archive, file.relative_to(folder).as_posix(), file.read_bytes(), zipfile.ZIP_STORED)


def pack(base: Path, dex: Path, jars: Iterable[Path], target: Path) -> None:
    """Write an unsigned APK: what aapt2 made, the dex files, and what the jars hold besides classes.

    Raises:
        ConflictingResource: two jars disagree.
    """
    with zipfile.ZipFile(target, "w") as archive, zipfile.ZipFile(base) as linked:
        for entry in linked.infolist():  # the resource table must stay stored
            _put(archive, entry.filename, linked.read(entry), entry.compress_type)
        for file in sorted(dex.glob("*.dex")):
            _put(archive, file.name, file.read_bytes(), zipfile.ZIP_DEFLATED)
        for name, content in sorted(_java_resources(jars).items()):
            _put(archive, name, content, zipfile.ZIP_DEFLATED)


def _java_resources(jars: Iterable[Path]) -> dict[str, bytes]:
    """What the jars bring for run time; the lists of services are joined."""
    found: dict[str, bytes] = {}
    for jar in jars:
        for name, content in _entries(jar):
            if name.startswith(_SERVICES):
                found[name] = found.get(name, b"") + content.strip() + b"\n"
            elif found.setdefault(name, content) != content:
                raise ConflictingResource(f"{name} of {jar.name} is another one than that of an earlier library")
    return found


def _entries(jar: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if not _left_out(name):
                yield name, archive.read(name)


def _left_out(name: str) -> bool:
    return (
        name.endswith("/")
        or name.endswith(_ONLY_FOR_COMPILERS)
        or name.startswith((*_ONLY_FOR_BUILDS, *_ONLY_FOR_READERS))
        or name in _ALSO_LEFT_OUT
    )


def _put(archive: zipfile.ZipFile, name: str, content: bytes, compression: int) -> None:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.compress_type = compression
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content, compresslevel=9 if compression else None)
