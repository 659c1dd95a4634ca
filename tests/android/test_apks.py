"""The APKs that `make apk` writes, read by another reader than the tools that made them."""

import subprocess
import zipfile
from pathlib import Path

import pytest
from pyaxmlparser import APK

from android.apk.assembly import TARGET

PERMISSION = "com.clawseed.permission.ACCESS_TOOLS"
ALL = {"bridge": "org.cetp.bridge", "guest": "org.cetp.bridge.guest", "sample": "com.example.notes"}

pytestmark = [
    pytest.mark.skipif(not TARGET.is_dir(), reason="`make apk` was not run: there are no APKs to look at"),
    # The reader's own use of what its libraries give up.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def file(name: str) -> Path:
    return TARGET / f"{name}.apk"


def defined_permissions(name: str) -> list[str]:
    manifest = APK(str(file(name))).get_android_manifest_xml()
    return [entry.get("{http://schemas.android.com/apk/res/android}name") for entry in manifest.iterfind("permission")]


@pytest.mark.parametrize(("name", "application_id"), ALL.items())
def test_an_apk_is_the_app_it_is_called_after(name: str, application_id: str) -> None:
    apk = APK(str(file(name)))
    assert apk.package == application_id
    assert (apk.get_min_sdk_version(), apk.get_target_sdk_version()) == ("26", "36")
    assert apk.get_main_activity().startswith(("org.cetp.bridge.app.", "com.example.notes."))
    assert PERMISSION in apk.get_permissions() or name == "sample"


def test_only_the_bridge_defines_the_shared_permission() -> None:
    assert {name: defined_permissions(name) for name in ALL} == {"bridge": [PERMISSION], "guest": [], "sample": []}


def test_both_bridges_hold_the_same_code() -> None:
    first, second = (zipfile.ZipFile(file(name)).read("classes.dex") for name in ("bridge", "guest"))
    assert first == second


@pytest.mark.parametrize("name", ALL)
def test_the_resource_table_is_not_compressed_as_android_11_demands(name: str) -> None:
    assert zipfile.ZipFile(file(name)).getinfo("resources.arsc").compress_type == zipfile.ZIP_STORED


@pytest.mark.parametrize("name", ALL)
def test_no_apk_carries_what_only_builds_need(name: str) -> None:
    names = zipfile.ZipFile(file(name)).namelist()
    assert not [
        entry for entry in names if entry.startswith("META-INF/maven") or entry.endswith((".kotlin_module", ".class"))
    ]


@pytest.mark.parametrize("name", ALL)
def test_an_apk_is_signed_for_every_android_it_runs_on(name: str) -> None:
    said = subprocess.run(
        ["apksigner", "verify", "--min-sdk-version", "26", "--print-certs", file(name)],
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert "CN=Development" in said.stdout
