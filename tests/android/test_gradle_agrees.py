"""The Android Studio build, which cannot run everywhere, says the same as the host build, which is run all the time."""

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from android.apk import module
from android.apk.manifest import ANDROID
from android.apk.module import BUILD, ROOT
from android.host.modules import SOURCES
from cetp_gateway._version import __version__

CATALOG = tomllib.loads((ROOT / "gradle" / "libs.versions.toml").read_text("utf-8"))
SETTINGS = (ROOT / "settings.gradle.kts").read_text("utf-8")
POM = "{http://maven.apache.org/POM/4.0.0}"
MODULES = list(SOURCES)
APPS = ["app", "sample"]


def build_file(name: str) -> str:
    return (ROOT / SOURCES[name] / "build.gradle.kts").read_text("utf-8")


def test_both_builds_have_the_same_modules_in_the_same_folders() -> None:
    included = re.findall(r'":(\w+)"', re.search(r"include\((.*)\)", SETTINGS)[1])  # type: ignore[index]
    folders = dict(re.findall(r'project\(":(\w+)"\)\.projectDir = file\("([^"]+)"\)', SETTINGS))
    assert included == MODULES
    assert folders == SOURCES
    for name in MODULES:
        written = module.properties(name).get("android.sources") or SOURCES[name]
        sources = ElementTree.parse(BUILD / name / "pom.xml").getroot().findtext(f"{POM}build/{POM}sourceDirectory")
        assert written == SOURCES[name]
        assert sources in (None, f"${{root}}/{SOURCES[name]}/src/main/kotlin")


@pytest.mark.parametrize("name", MODULES)
def test_no_module_takes_its_sources_from_elsewhere(name: str) -> None:
    assert "sourceSets" not in build_file(name)
    assert "srcDir" not in build_file(name)


@pytest.mark.parametrize("name", ["kotlin", "coroutines", "serialization", "okhttp", "turbine", "junit", "robolectric"])
def test_libraries_have_the_same_versions(name: str) -> None:
    assert CATALOG["versions"][name] == module.properties("app")[f"{name}.version"]


@pytest.mark.parametrize("name", MODULES)
def test_each_module_stands_on_the_same_libraries(name: str) -> None:
    inherited = [] if name == "core" else ["on-android"]
    compiled, tested = set[str](), set[str]()
    for pom in (name, *inherited):
        for dependency in ElementTree.parse(BUILD / pom / "pom.xml").getroot().iterfind(f"{POM}dependencies/{POM}*"):
            library = dependency.findtext(f"{POM}artifactId", "").removesuffix("-jvm")
            (tested if scope(library) == "test" else compiled).add(library)
    # Gradle's plugins bring the language's library and the framework by themselves.
    assert in_gradle(name, "api|implementation") == compiled - {"kotlin-stdlib", "android-all"}
    assert in_gradle(name, "testImplementation") == tested


def scope(library: str) -> str:
    managed = ElementTree.parse(BUILD / "pom.xml").getroot().iterfind(f"{POM}dependencyManagement/*/{POM}dependency")
    for dependency in managed:
        if dependency.findtext(f"{POM}artifactId", "").removesuffix("-jvm") == library:
            return dependency.findtext(f"{POM}scope", "compile")
    return "compile"


def in_gradle(name: str, configuration: str) -> set[str]:
    found = set[str]()
    for named, project in re.findall(
        rf'^    (?:{configuration})\((?:libs\.([\w.]+)|project\(":(\w+)"\))\)', build_file(name), re.M
    ):
        alias = named.replace(".", "-")
        found.add(project or CATALOG["libraries"][alias]["module"].split(":")[1])
    return found


@pytest.mark.parametrize("name", APPS)
def test_an_app_has_the_same_identity(name: str) -> None:
    app, gradle = module.read(name), build_file(name)
    assert re.findall(r'namespace = "([^"]+)"', gradle) == [app.namespace]
    assert re.findall(r'applicationId = "([^"]+)"', gradle) == [app.application_id]
    flavours = re.findall(r'create\("(\w+)"\) {([^}]*)}', gradle)
    assert tuple(flavour for flavour, _ in flavours) == tuple(name for name in app.flavours if name != "main")
    for flavour, body in flavours:
        suffix = re.search(r'applicationIdSuffix = "([^"]+)"', body)
        assert app.id_of(flavour) == app.application_id + (suffix[1] if suffix else "")


@pytest.mark.parametrize("name", APPS)
def test_an_app_has_the_same_levels_and_versions(name: str) -> None:
    app, versions = module.read(name), CATALOG["versions"]
    assert (app.min_sdk, app.target_sdk) == (int(versions["minSdk"]), int(versions["targetSdk"]))
    assert (app.version_code, app.version_name) == (int(versions["versionCode"]), versions["versionName"])
    for key in ("minSdk", "targetSdk", "compileSdk", "versionCode", "versionName"):
        assert f"{key} = libs.versions.{key}.get()" in build_file(name)


def test_apps_are_compiled_against_the_framework_of_their_target() -> None:
    values = module.properties("app")
    assert CATALOG["versions"]["compileSdk"] == values["target.sdk"]
    assert values[f"framework.{values['target.sdk']}"] == f"{values['framework']}-i7"


def test_the_apps_and_the_gateway_carry_one_version() -> None:
    assert CATALOG["versions"]["versionName"] == __version__


@pytest.mark.parametrize("name", APPS)
def test_tests_run_on_the_same_androids(name: str) -> None:
    levels = sorted(
        int(key.removeprefix("framework.")) for key in module.properties(name) if key.startswith("framework.")
    )
    listed = ",".join(map(str, levels))
    assert f'"{listed}"' in build_file(name)
    assert f"sdk={listed}\n" in (ROOT / SOURCES[name] / "src/test/resources/robolectric.properties").read_text("utf-8")


@pytest.mark.parametrize("name", MODULES)
def test_warnings_are_errors_and_bytecode_is_java_8_in_both(name: str) -> None:
    host = (BUILD / "pom.xml").read_text("utf-8")
    assert "<arg>-Werror</arg>" in host
    assert "<jvm.target>1.8</jvm.target>" in host
    assert "allWarningsAsErrors = true" in build_file(name)
    assert "jvmTarget = JvmTarget.JVM_1_8" in build_file(name)


def test_the_core_says_its_interface_in_both() -> None:
    assert "explicitApi()" in build_file("core")
    assert "-Xexplicit-api=strict" in (BUILD / "core" / "pom.xml").read_text("utf-8")


@pytest.mark.parametrize(
    "manifest", sorted(ROOT.glob("*/**/src/*/AndroidManifest.xml")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_manifest_leaves_to_the_builds_what_the_builds_say(manifest: Path) -> None:
    root = ElementTree.parse(manifest).getroot()
    assert "package" not in root.attrib
    assert not {f"{{{ANDROID}}}versionCode", f"{{{ANDROID}}}versionName"} & root.attrib.keys()
    assert root.find("uses-sdk") is None
    placeholders = set(re.findall(r"\$\{\w+}", manifest.read_text("utf-8")))
    assert placeholders <= {"${applicationId}"}


def test_the_wrapper_fetches_a_checked_gradle() -> None:
    lines = (ROOT / "gradle/wrapper/gradle-wrapper.properties").read_text("utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines)
    assert re.fullmatch(
        r"https\\://services\.gradle\.org/distributions/gradle-[\d.]+-bin\.zip", values["distributionUrl"]
    )
    assert re.fullmatch(r"[0-9a-f]{64}", values["distributionSha256Sum"])
