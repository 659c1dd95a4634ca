"""What a manifest's value turns out to be: literals, placeholders and resources, as far as they are at hand."""

from collections.abc import Iterable
from typing import Protocol

import msgspec

from cetp_spec.validator.manifest.values import Value
from cetp_spec.validator.problem import Place


class Variant(msgspec.Struct, frozen=True):
    """One of the values that a resource has; `qualifier` is the folder's (`de`, `v29`), empty for the default."""

    qualifier: str
    value: Value


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A value of the manifest, with everything that is known about it here."""

    place: Place
    written: str
    """As it stands in the file."""
    variants: tuple[Variant, ...] = ()
    """Empty when it cannot be resolved here."""
    placeholders: frozenset[str] = frozenset()
    """Names of all `${…}` that stood in it."""
    unknown: frozenset[str] = frozenset()
    """Those among them that nothing here gives a value, nor as much as mentions."""
    unresolved: str = ""
    """Why `variants` is empty, as the end of a sentence."""
    missing: bool = False
    """The resources are at hand and have none of this name."""

    @property
    def value(self) -> Value | None:
        """The one value that holds in every configuration, or None."""
        values = {variant.value for variant in self.variants}
        return values.pop() if len(values) == 1 else None

    @property
    def text(self) -> str | None:
        """Text of the one value, or None."""
        return None if self.value is None else self.value.text

    @property
    def varies(self) -> bool:
        """The value depends on language, version or another configuration."""
        return len({variant.value for variant in self.variants}) > 1


class Resolver(Protocol):
    """Resolves values of one manifest."""

    def resolve(self, value: Value, place: Place) -> Setting: ...


def from_variants(place: Place, written: str, variants: Iterable[Variant], reason: str, *, missing: bool) -> Setting:
    """A setting whose value came out of resources; without variants it stays unresolved for the given reason."""
    found = tuple(variants)
    if found:
        return Setting(place=place, written=written, variants=found)
    return Setting(place=place, written=written, unresolved=reason, missing=missing)
