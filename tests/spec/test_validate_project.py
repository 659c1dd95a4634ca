"""Project folders: modules, resources and build files around the manifests."""

from pathlib import Path

import pytest

from cetp_spec.validator import Problem, check, input_of, validate
from support.manifests import (
    DEFINES,
    QUERIES,
    TOOLS,
    USES,
    announced,
    consumer_app,
    manifest,
    meta,
    provider,
    provider_app,
    service,
)
from support.validating import rules

MAIN = "app/src/main/AndroidManifest.xml"
RES = "app/src/main/res"
AUTH = '<string name="auth">org.example.notes.tools</string>'
PROTO = '<integer name="proto_2">1</integer>'
POINTING = provider_app(discovery=announced("@string/auth", "@integer/proto_2"), called=provider("@string/auth"))
PLACEHOLDERS = provider_app(
    discovery=announced("${applicationId}.tools"), called=provider("${applicationId}.tools"), package=""
)


def resources(*entries: str) -> str:
    return f"<resources>{''.join(entries)}</resources>"


def write(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return root


def found_in(root: Path, files: dict[str, str], application_id: str = "") -> list[Problem]:
    return validate(write(root, files), application_id=application_id)


def test_strings_and_integers_are_resolved_from_values(tmp_path: Path) -> None:
    assert found_in(tmp_path, {MAIN: POINTING, f"{RES}/values/a.xml": resources(AUTH, PROTO)}) == []


def test_the_digit_in_a_resources_name_is_not_its_value(tmp_path: Path) -> None:
    two = PROTO.replace(">1<", ">2<").replace("proto_2", "proto_1")
    files = {MAIN: POINTING.replace("proto_2", "proto_1"), f"{RES}/values/a.xml": resources(AUTH, two)}
    assert rules(found_in(tmp_path, files)) == ["manifest.version.unknown"]


def test_a_manifest_given_by_itself_uses_the_res_folder_beside_it(tmp_path: Path) -> None:
    write(tmp_path, {MAIN: POINTING, f"{RES}/values/a.xml": resources(AUTH, PROTO)})
    assert validate(tmp_path / MAIN) == []


def test_a_manifest_alone_says_that_it_cannot_resolve_here(tmp_path: Path) -> None:
    found = found_in(tmp_path, {MAIN: POINTING})
    assert set(rules(found)) == {"manifest.value.unresolved"}
    assert all("cannot be resolved here" in item.message for item in found)


def test_a_text_that_changes_with_the_language_is_an_error_with_both_texts(tmp_path: Path) -> None:
    german = resources(AUTH.replace("tools", "werkzeuge"))
    files = {MAIN: POINTING, f"{RES}/values/a.xml": resources(AUTH, PROTO), f"{RES}/values-de/a.xml": german}
    found = found_in(tmp_path, files)
    assert set(rules(found)) == {"manifest.authority.varies"}
    assert "(default)" in found[0].message
    assert "werkzeuge" in found[0].message


def test_the_same_text_in_every_language_is_fine(tmp_path: Path) -> None:
    files = {MAIN: POINTING, f"{RES}/values/a.xml": resources(AUTH, PROTO), f"{RES}/values-de/a.xml": resources(AUTH)}
    assert found_in(tmp_path, files) == []


def test_a_version_kept_as_text_in_a_string_is_read_as_text(tmp_path: Path) -> None:
    app = provider_app(discovery=announced(version="@string/v"))
    files = {MAIN: app, f"{RES}/values/a.xml": resources('<string name="v">1.10</string>')}
    assert rules(found_in(tmp_path, files)) == ["manifest.version.unknown"]


@pytest.mark.parametrize(
    "entry",
    [
        '<string name="auth">\n  org.example.notes.tools\n</string>',
        '<string name="auth">"org.example.notes.tools"</string>',
        '<string name="auth"><![CDATA[org.example.notes.tools]]></string>',
        '<item type="string" name="auth">org.example.notes.tools</item>',
        '<string name="base">org.example.notes.tools</string><string name="auth">@string/base</string>',
    ],
)
def test_every_way_of_writing_a_string_is_read(entry: str, tmp_path: Path) -> None:
    assert found_in(tmp_path, {MAIN: POINTING, f"{RES}/values/a.xml": resources(entry, PROTO)}) == []


def test_strings_that_point_at_each_other_end(tmp_path: Path) -> None:
    loop = '<string name="auth">@string/b</string><string name="b">@string/auth</string>'
    found = found_in(tmp_path, {MAIN: POINTING, f"{RES}/values/a.xml": resources(loop, PROTO)})
    assert set(rules(found)) == {"manifest.resource.missing"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("build.gradle.kts", 'android { defaultConfig { applicationId = "org.example.notes" } }'),
        ("build.gradle", "android { defaultConfig { applicationId 'org.example.notes' } }"),
        ("build.gradle", "android { namespace 'org.example.notes' }"),
        (
            "build.gradle.kts",
            '// applicationId = "org.wrong"\n/* applicationId = "x" */ applicationId = "org.example.notes"',
        ),
    ],
)
def test_the_application_id_is_read_from_the_build_file(name: str, text: str, tmp_path: Path) -> None:
    fixed = PLACEHOLDERS.replace('android:authorities="${applicationId}', 'android:authorities="org.example.notes')
    found = found_in(tmp_path, {MAIN: fixed, f"app/{name}": text})
    assert rules(found) == ["manifest.authority.half-fixed"]


def test_a_given_application_id_wins_over_the_build_file(tmp_path: Path) -> None:
    fixed = PLACEHOLDERS.replace('android:authorities="${applicationId}', 'android:authorities="org.example.notes')
    files = {MAIN: fixed, "app/build.gradle": "applicationId 'org.example.notes'"}
    found = found_in(tmp_path, files, application_id="org.example.debug")
    assert rules(found) == ["manifest.authority.unmatched"]


@pytest.mark.parametrize(
    "text",
    [
        'manifestPlaceholders["host"] = "org.example.notes"',
        'manifestPlaceholders += mapOf("host" to "org.example.notes")',
        "manifestPlaceholders = [host: 'org.example.notes']",
        "manifestPlaceholders = computed('host')",
    ],
)
def test_placeholders_of_the_build_file_are_known(text: str, tmp_path: Path) -> None:
    app = PLACEHOLDERS.replace("applicationId", "host")
    assert found_in(tmp_path, {MAIN: app, "app/build.gradle": text}) == []


def test_sdk_versions_of_the_build_file_win(tmp_path: Path) -> None:
    app = provider_app(called=provider(attributes=""), target=16)
    files = {MAIN: app, "app/build.gradle.kts": "android { defaultConfig { minSdk = 26; targetSdk = 35 } }"}
    assert rules(found_in(tmp_path, files)) == ["manifest.provider.not-exported"]


def test_values_that_the_build_generates_are_known(tmp_path: Path) -> None:
    build = 'resValue("string", "auth", "org.example.notes.tools")\nresValue "integer", "proto_2", "1"'
    assert found_in(tmp_path, {MAIN: POINTING, "app/build.gradle": build}) == []


def test_what_another_module_declares_counts(tmp_path: Path) -> None:
    library = manifest(provider(), package="", target=None)
    app = manifest(announced(), package="", target=None)
    assert found_in(tmp_path, {MAIN: app, "tools/src/main/AndroidManifest.xml": library}) == []


def test_a_module_without_a_part_in_cetp_is_passed_over(tmp_path: Path) -> None:
    files = {MAIN: provider_app(), "ui/src/main/AndroidManifest.xml": manifest()}
    assert found_in(tmp_path, files) == []


def test_a_project_without_any_part_in_cetp_gets_one_complaint(tmp_path: Path) -> None:
    files = {MAIN: manifest(), "ui/src/main/AndroidManifest.xml": manifest()}
    assert rules(found_in(tmp_path, files)) == ["manifest.discovery.missing"]


def test_manifests_of_builds_tests_and_build_types_are_passed_over(tmp_path: Path) -> None:
    broken = "<manifest>"
    files = {
        MAIN: provider_app(),
        "app/src/debug/AndroidManifest.xml": broken,
        "app/src/androidTest/AndroidManifest.xml": broken,
        "app/build/intermediates/AndroidManifest.xml": broken,
        ".git/AndroidManifest.xml": broken,
    }
    assert found_in(tmp_path, files) == []


def test_one_broken_manifest_does_not_hide_the_others(tmp_path: Path) -> None:
    files = {MAIN: provider_app(called=provider(permission="")), "lib/src/main/AndroidManifest.xml": "<manifest>"}
    assert set(rules(found_in(tmp_path, files))) == {"manifest.permission.missing", "xml.syntax"}


def test_a_bridge_and_a_sample_in_one_project_are_judged_apart(tmp_path: Path) -> None:
    files = {
        "bridge/src/main/AndroidManifest.xml": consumer_app(outside=USES + QUERIES + DEFINES),
        "sample/src/main/AndroidManifest.xml": provider_app(),
    }
    assert found_in(tmp_path, files) == []


def test_places_are_paths_from_the_given_folder(tmp_path: Path) -> None:
    root = write(tmp_path, {MAIN: provider_app(discovery=service(meta("com.clawseed.tools.authority", TOOLS)))})
    (found,) = check([input_of(root, "notes/")]).problems
    assert found.place.file == f"notes/{MAIN}"
    assert found.place.line > 0


def test_links_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    write(tmp_path, {MAIN: provider_app()})
    (tmp_path / "app" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert validate(tmp_path) == []
