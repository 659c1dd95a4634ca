"""Rules over a set of apps: what only one app on a phone may own (spec 3, 10)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from cetp_spec.validator.manifest.authorities import split
from cetp_spec.validator.manifest.facts import Manifest
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import listed, printable, quoted

Owned = tuple[str, Manifest, Place]
"""What is owned, by whom, and where it says so."""


def owner_problems(manifests: Sequence[Manifest]) -> Iterator[Problem]:
    """Things that two of the apps own. Files of the same application id count as one app."""
    yield from _clashes(_permissions(manifests), _permission_clash)
    yield from _clashes(_authorities(manifests), _authority_clash)


def _permissions(manifests: Sequence[Manifest]) -> Iterator[Owned]:
    for manifest in manifests:
        for permission in manifest.defines:
            if permission.name == names().permission:
                yield permission.name, manifest, permission.place


def _authorities(manifests: Sequence[Manifest]) -> Iterator[Owned]:
    for manifest in manifests:
        for provider in manifest.of_kind("provider"):
            text = provider.authorities.text if provider.authorities else None
            for authority in split(text or ""):
                if "${" not in authority:
                    yield authority, manifest, provider.place


def _clashes(owned: Iterable[Owned], report: Callable[[str, Place, str], Problem]) -> Iterator[Problem]:
    by_name = groupby(sorted(owned, key=lambda item: item[0]), key=lambda item: item[0])
    for name, group in by_name:
        entries = list(group)
        owners = sorted({manifest.owner for _, manifest, _ in entries})
        if len(owners) < 2:
            continue
        for _, manifest, place in entries:
            others = listed([owner for owner in owners if owner != manifest.owner])
            yield report(name, place, f"{printable(manifest.owner)}, and so does {others}")


def _permission_clash(name: str, place: Place, owners: str) -> Problem:
    message = f"{name} is defined by {owners}: the second of them cannot be installed"
    return problem("manifest.permission.defined-twice", place, message)


def _authority_clash(name: str, place: Place, owners: str) -> Problem:
    message = f"the authority {quoted(name)} belongs to {owners}: the second of them cannot be installed"
    return problem("manifest.authority.taken-twice", place, message)
