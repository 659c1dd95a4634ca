"""Steps of the APK build whose faults would show on phones alone."""

import struct
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from android.apk import archive, manifest, resource_table
from android.apk.manifest import ANDROID
from android.apk.module import Module
from android.apk.stamp import Stamp


def jar(path: Path, **entries: str) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return path


def packed(folder: Path, *jars: Path) -> Path:
    (folder / "dex").mkdir(exist_ok=True)
    (folder / "dex" / "classes.dex").write_bytes(b"dex")
    base = jar(folder / "base.apk", **{"AndroidManifest.xml": "m", "resources.arsc": "r"})
    archive.pack(base, folder / "dex", jars, folder / "out.apk")
    return folder / "out.apk"


def test_lists_of_services_are_joined_and_other_resources_kept(tmp_path: Path) -> None:
    first = jar(tmp_path / "a.jar", **{"META-INF/services/S": "A", "x/y.txt": "data", "x/C.class": "c"})
    second = jar(tmp_path / "b.jar", **{"META-INF/services/S": "B\n", "META-INF/MANIFEST.MF": "m"})
    apk = zipfile.ZipFile(packed(tmp_path, first, second))
    assert apk.read("META-INF/services/S") == b"A\nB\n"
    assert apk.namelist() == ["AndroidManifest.xml", "resources.arsc", "classes.dex", "META-INF/services/S", "x/y.txt"]


def test_libraries_that_disagree_on_a_file_end_the_build(tmp_path: Path) -> None:
    one, other = jar(tmp_path / "a.jar", **{"x.txt": "1"}), jar(tmp_path / "b.jar", **{"x.txt": "2"})
    with pytest.raises(archive.ConflictingResource, match=r"x\.txt of b\.jar"):
        packed(tmp_path, one, other)


def test_the_same_contents_make_the_same_bytes_whenever_they_are_packed(tmp_path: Path) -> None:
    first = packed(tmp_path, jar(tmp_path / "a.jar", **{"x.txt": "1"})).read_bytes()
    later = tmp_path / "later"
    later.mkdir()
    again = packed(later, jar(later / "a.jar", **{"x.txt": "1"})).read_bytes()
    assert first == again


def module(folder: Path, main: str, **overlays: str) -> Module:
    for name, text in {"main": main, **overlays}.items():
        source_set = folder / "src" / name
        source_set.mkdir(parents=True)
        (source_set / "AndroidManifest.xml").write_text(
            f'<manifest xmlns:android="{ANDROID}" xmlns:tools="{manifest.TOOLS}">{text}</manifest>', encoding="utf-8"
        )
    return Module("m", folder, "com.example.code", "com.example.id", ("plain", "guest"), 26, 36, 7, "1.2")


def test_class_names_and_ids_are_written_out_as_the_merger_of_android_studio_does(tmp_path: Path) -> None:
    app = module(
        tmp_path,
        '<application tools:ignore="all" android:name=".App"><activity android:name="Main"/>'
        '<provider android:name="other.P" android:authorities="${applicationId}.data"/></application>',
    )
    root = ElementTree.fromstring(manifest.merged(app, "guest"))
    name, authorities = f"{{{ANDROID}}}name", f"{{{ANDROID}}}authorities"
    assert root.get("package") == "com.example.id.guest"
    assert root.find("application").attrib == {name: "com.example.code.App"}  # type: ignore[union-attr]
    assert root.find("application/activity").get(name) == "com.example.code.Main"  # type: ignore[union-attr]
    assert root.find("application/provider").attrib == {  # type: ignore[union-attr]
        name: "other.P",
        authorities: "com.example.id.guest.data",
    }
    assert root.find("uses-sdk").attrib == {  # type: ignore[union-attr]
        f"{{{ANDROID}}}minSdkVersion": "26",
        f"{{{ANDROID}}}targetSdkVersion": "36",
    }


def test_a_flavour_adds_its_elements_to_its_own_manifest_only(tmp_path: Path) -> None:
    app = module(tmp_path, "<application/>", plain='<permission android:name="p"/>')
    assert ElementTree.fromstring(manifest.merged(app, "plain")).find("permission") is not None
    assert ElementTree.fromstring(manifest.merged(app, "guest")).find("permission") is None


def test_a_flavour_that_would_change_the_application_is_refused(tmp_path: Path) -> None:
    app = module(tmp_path, "<application/>", plain="<application/>")
    with pytest.raises(manifest.UnsupportedOverlay):
        manifest.merged(app, "plain")


def test_compact_entries_and_short_offsets_become_the_classic_form() -> None:
    """One type with two entries: the first a compact integer 5 under the key 9, the second absent."""
    compact = struct.pack("<HHI", 9, 0x0008 | 0x10 << 8, 5)
    config = struct.pack("<I", 4)
    head = struct.pack("<HHI", 0x0201, 24, 24 + 4 + len(compact))
    head += struct.pack("<BBHII", 1, 0x02, 0, 2, 28) + config
    chunk = head + struct.pack("<HH", 0, 0xFFFF) + compact
    table = struct.pack("<HHII", 0x0002, 12, 12 + len(chunk), 1) + chunk
    written = resource_table.classic(table)[12:]
    assert struct.unpack_from("<BBHII", written, 8) == (1, 0, 0, 2, 32)
    assert struct.unpack_from("<II", written, 24) == (0, 0xFFFFFFFF)
    assert struct.unpack_from("<HHIHBBI", written, 32) == (8, 0, 9, 8, 0, 0x10, 5)


def test_a_step_runs_again_when_a_file_changes_appears_or_goes(tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    first = source / "a"
    first.write_text("1")

    def stamp() -> Stamp:
        return Stamp(tmp_path / "stamp", [source])

    assert not stamp().is_current()
    stamp().write()
    assert stamp().is_current()
    first.write_text("2")
    assert not stamp().is_current()
    stamp().write()
    (source / "b").write_text("")
    assert not stamp().is_current()
    stamp().write()
    (source / "b").unlink()
    assert not stamp().is_current()
