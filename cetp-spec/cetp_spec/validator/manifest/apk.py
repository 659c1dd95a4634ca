"""Opens an APK: its binary manifest as elements, and a resolver over its resource table."""

import io
import struct
import zipfile
import zlib
from pathlib import Path

from cetp_spec.validator.manifest.binary_xml import read_binary
from cetp_spec.validator.manifest.element import Element
from cetp_spec.validator.manifest.resolution import Setting, Variant, from_variants
from cetp_spec.validator.manifest.resource_table import MAX_BYTES, ResourceTable
from cetp_spec.validator.manifest.values import Form, Value
from cetp_spec.validator.problem import Place
from cetp_spec.validator.unreadable import Unreadable

MANIFEST = "AndroidManifest.xml"
_TABLE = "resources.arsc"
_NOT_A_TABLE = (struct.error, IndexError, ValueError, StopIteration)
_BROKEN_ZIP = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
)


class BinaryResolver:
    """Resolves values of a built manifest; without a table, pointers stay unresolved."""

    def __init__(self, table: ResourceTable | None = None) -> None:
        self._table = table

    def resolve(self, value: Value, place: Place) -> Setting:
        """The setting of one attribute."""
        if value.form is not Form.REFERENCE:
            return Setting(place=place, written=value.text, variants=(Variant("", value),))
        # A resource may lie in a split APK that is not at hand, so its absence here proves nothing.
        reason = "it is not in this APK and may lie in a split" if self._table else "there is no resource table here"
        return from_variants(place, value.text, self._find(value), reason, missing=False)

    def _find(self, value: Value) -> list[Variant]:
        if self._table is None:
            return []
        try:
            return self._table.find(int(value.text[1:], 16))
        except _NOT_A_TABLE:
            return []


def read_apk(source: Path | bytes) -> tuple[Element, BinaryResolver]:
    """The manifest of an APK and the resolver for it.

    Raises:
        Unreadable: no zip, no manifest in it, a broken one, or the optional extra is missing.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            if MANIFEST not in archive.namelist():
                raise Unreadable("apk.manifest", f"is a zip archive without {MANIFEST}: not an APK")
            manifest = _extract(archive, MANIFEST, MAX_BYTES)
            table = _table(archive)
    except _BROKEN_ZIP as error:
        raise Unreadable("apk.zip", f"is no readable APK: {error}") from error
    return read_binary(manifest), BinaryResolver(table)


def _table(archive: zipfile.ZipFile) -> ResourceTable | None:
    if _TABLE not in archive.namelist():
        return None
    try:
        return ResourceTable(_extract(archive, _TABLE, MAX_BYTES))
    except _NOT_A_TABLE:
        return None


def _extract(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    # The size in the archive's index may lie, so the reading itself is bounded.
    with archive.open(name) as member:
        content = member.read(limit + 1)
    if len(content) > limit:
        raise Unreadable("input.too-large", f"holds {name} with more than {limit} bytes")
    return content
