"""Checks manifests: the border between files and the rules for manifests."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from cetp_spec.validator.inputs import Input
from cetp_spec.validator.manifest.apk import MANIFEST, BinaryResolver, read_apk
from cetp_spec.validator.manifest.authorities import authority_of
from cetp_spec.validator.manifest.binary_xml import MAGIC, read_binary
from cetp_spec.validator.manifest.facts import Manifest, Origin
from cetp_spec.validator.manifest.judge import manifest_problems
from cetp_spec.validator.manifest.project import SourceManifest, find_manifests, load_manifest, read_content
from cetp_spec.validator.manifest.read_facts import read_facts
from cetp_spec.validator.manifest.roles import discovery_services, is_consumer, is_provider
from cetp_spec.validator.manifest.source import MAX_XML_BYTES
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted
from cetp_spec.validator.unreadable import Unreadable


class CheckedManifest(msgspec.Struct, frozen=True):
    """One manifest with its problems; `facts` is None when it could not be read."""

    shown: str
    facts: Manifest | None
    problems: tuple[Problem, ...]


def check_manifest(source: Input, application_id: str = "") -> CheckedManifest:
    """One manifest file, source or binary. Raises Unreadable and OSError."""
    if source.path is not None and not source.head().startswith(MAGIC):
        loaded = load_manifest(source.path, source.shown, application_id)
        return _checked(source.shown, loaded)
    content = source.read(MAX_XML_BYTES)
    if content.startswith(MAGIC):
        facts = read_facts(read_binary(content), source.shown, BinaryResolver(), Origin.BUILT)
    else:
        facts = read_content(content, source.shown, application_id=application_id)
    return _checked(source.shown, SourceManifest(facts))


def check_apk(source: Input) -> CheckedManifest:
    """The manifest inside an APK. Raises Unreadable and OSError."""
    root, resolver = read_apk(source.path if source.path is not None else source.content)
    facts = read_facts(root, f"{source.shown}!{MANIFEST}", resolver, Origin.BUILT)
    return _checked(source.shown, SourceManifest(facts))


def check_project(folder: Path, shown: str, application_id: str = "") -> list[CheckedManifest]:
    """All manifests of a project folder. Raises Unreadable when there is none."""
    paths = find_manifests(folder)
    if not paths:
        raise Unreadable("input.no-manifest", "holds no AndroidManifest.xml")
    loaded = [_loaded(path, f"{shown.rstrip('/')}/{path.relative_to(folder)}", application_id) for path in paths]
    facts = [item.facts for item in loaded if isinstance(item, SourceManifest)]
    checked: list[CheckedManifest] = []
    for item in loaded:
        if isinstance(item, CheckedManifest):
            checked.append(item)
        else:
            siblings = [other for other in facts if other is not item.facts]
            checked.append(_checked(item.facts.place.file, item, siblings))
    return _one_complaint(checked)


def summary_of(facts: Manifest) -> str:
    """What a manifest is, in a few words."""
    parts = [name for name, holds in (("provider", is_provider(facts)), ("consumer", is_consumer(facts))) if holds]
    for service in discovery_services(facts):
        authority = authority_of(service)
        parts += [f"authority {quoted(authority)[1:-1]}"] if authority else []
    return ", ".join(parts) or "no part in CETP"


def _loaded(path: Path, shown: str, application_id: str) -> SourceManifest | CheckedManifest:
    try:
        return load_manifest(path, shown, application_id)
    except Unreadable as fault:
        return CheckedManifest(shown, None, (problem(fault.rule, Place(shown, fault.line), fault.message),))


def _checked(shown: str, loaded: SourceManifest, siblings: list[Manifest] | None = None) -> CheckedManifest:
    found = sorted(_unique(manifest_problems(loaded.facts, siblings or [])), key=lambda item: item.place.line)
    return CheckedManifest(shown, loaded.facts, (*loaded.problems, *found))


def _unique(problems: Iterator[Problem]) -> Iterator[Problem]:
    """Two services of one provider lead to the same fault twice."""
    seen: set[Problem] = set()
    for found in problems:
        if found not in seen:
            seen.add(found)
            yield found


def _one_complaint(checked: list[CheckedManifest]) -> list[CheckedManifest]:
    """In a project without any part in CETP, say so for its first manifest only."""
    nothing = [item for item in checked if [found.rule for found in item.problems] == ["manifest.discovery.missing"]]
    if len(nothing) < len(checked):
        return checked
    return [checked[0], *(msgspec.structs.replace(item, problems=()) for item in checked[1:])]
