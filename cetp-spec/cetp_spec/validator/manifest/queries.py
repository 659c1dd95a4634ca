"""Rules for consumers: they see no provider without `<queries>` and call none without the permission (spec 3, 10)."""

from collections.abc import Iterator, Sequence

from cetp_spec.validator.manifest.exported import target_of
from cetp_spec.validator.manifest.facts import Action, Manifest
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.near import is_near
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

ALL_PACKAGES = "android.permission.QUERY_ALL_PACKAGES"
FIRST_HIDDEN_TARGET = 30
"""From this target on other packages are hidden without `<queries>`."""


def consumer_problems(manifest: Manifest, siblings: Sequence[Manifest]) -> Iterator[Problem]:
    """All faults of a consumer; what other modules of its project declare counts too."""
    used = {name for module in (manifest, *siblings) for name in module.uses}
    if names().permission not in used:
        message = f"this consumer does not request {names().permission}, so no provider lets it call"
        yield problem("manifest.consumer.permission-missing", manifest.queries_place or manifest.place, message)
    found = [query for module in (manifest, *siblings) for query in module.queries if query.name == names().action]
    if not any(not query.misplaced for query in found):
        yield from _not_visible(manifest, found, everything=ALL_PACKAGES in used)


def _not_visible(manifest: Manifest, found: list[Action], *, everything: bool) -> Iterator[Problem]:
    near = [query for query in manifest.queries if is_near(query.name, names().action)]
    if found:
        message = "<queries> stands inside <application>, where Android does not read it"
        yield problem("manifest.queries.misplaced", found[0].place, message)
    elif near:
        message = f"<queries> asks for {quoted(near[0].name)}; the action is {names().action}"
        yield problem("manifest.queries.misspelt", near[0].place, message)
    elif everything:
        message = f"providers are visible through {ALL_PACKAGES} only"
        yield problem("manifest.queries.all-packages", manifest.place, message)
    elif target_of(manifest)[0] >= FIRST_HIDDEN_TARGET:
        message = f"no <queries> for {names().action}: from Android 11 on this consumer finds no provider"
        yield problem("manifest.queries.missing", manifest.queries_place or manifest.place, message)
