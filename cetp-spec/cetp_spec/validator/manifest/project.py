"""Finds the source manifests of a project folder and reads each with its build file and resources."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from cetp_spec.validator.manifest.facts import Manifest, Origin, SdkVersions
from cetp_spec.validator.manifest.gradle import BuildFile, read_build_file
from cetp_spec.validator.manifest.read_facts import read_facts
from cetp_spec.validator.manifest.resources import SourceResources
from cetp_spec.validator.manifest.source import MAX_XML_BYTES, read_source
from cetp_spec.validator.manifest.source_resolver import SourceResolver
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.unreadable import Unreadable

FILE_NAME = "AndroidManifest.xml"
MAX_FOLDERS = 20_000
MAX_DEPTH = 12
_SKIPPED = frozenset({"build", "out", "node_modules", "venv"})
_MAIN = frozenset({"main", "androidMain"})


class SourceManifest(msgspec.Struct, frozen=True):
    """One manifest's facts, and what went wrong while its resources were read."""

    facts: Manifest
    problems: tuple[Problem, ...] = ()


def find_manifests(folder: Path) -> list[Path]:
    """Main manifests below a folder, sorted; those of builds, tests and build types are passed over."""
    found: list[Path] = []
    depth_of_root = len(folder.parts)
    for visited, (parent, folders, files) in enumerate(os.walk(folder)):
        here = Path(parent)
        deep = len(here.parts) - depth_of_root >= MAX_DEPTH or visited >= MAX_FOLDERS
        folders[:] = [] if deep else sorted(name for name in folders if name not in _SKIPPED and name[0] != ".")
        if FILE_NAME in files and (here.parent.name != "src" or here.name in _MAIN):
            found.append(here / FILE_NAME)
        if visited >= MAX_FOLDERS:
            break
    return sorted(found)


def load_manifest(path: Path, shown: str, application_id: str = "") -> SourceManifest:
    """The facts of one source manifest; `application_id` wins over what the build file says.

    Raises:
        Unreadable: the manifest itself cannot be read.
        OSError: the file cannot be opened.
    """
    if path.stat().st_size > MAX_XML_BYTES:
        raise Unreadable("input.too-large", f"has {path.stat().st_size} bytes; XML is read up to {MAX_XML_BYTES}")
    build = _build_file(path)
    resources = SourceResources(list(_resource_folders(path)), build.generated if build else None)
    facts = read_content(path.read_bytes(), shown, application_id=application_id, build=build, resources=resources)
    return SourceManifest(facts, tuple(_broken(resources, path, shown)))


def read_content(
    content: bytes,
    shown: str,
    *,
    application_id: str = "",
    build: BuildFile | None = None,
    resources: SourceResources | None = None,
) -> Manifest:
    """The facts of a source manifest's bytes. Raises Unreadable."""
    root = read_source(content)
    own = root.written("package") if build is None else build.application_id
    application_id = application_id or own
    build = build or BuildFile()
    resolver = SourceResolver(application_id, build, resources or SourceResources([]))
    facts = read_facts(root, shown, resolver, Origin.SOURCE)
    sdk = SdkVersions(
        target=build.target_sdk or facts.sdk.target,
        minimum=build.min_sdk or facts.sdk.minimum,
    )
    return msgspec.structs.replace(facts, application_id=application_id, sdk=sdk, several_builds=build.several_builds)


def _build_file(path: Path) -> BuildFile | None:
    folder = path.resolve().parent
    module = folder.parent.parent if folder.parent.name == "src" else folder
    return read_build_file(module)


def _resource_folders(path: Path) -> Iterator[Path]:
    folder = path.parent / "res"
    if folder.is_dir():
        yield folder


def _broken(resources: SourceResources, path: Path, shown: str) -> Iterator[Problem]:
    prefix = shown.removesuffix(path.name)
    for file, fault in resources.broken:
        place = Place(f"{prefix}{file.relative_to(path.parent)}", fault.line)
        yield problem("manifest.resource.unreadable", place, fault.message)
