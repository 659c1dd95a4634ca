"""Rules for the discovery service: consumers find a provider by it, and only by it (spec 3)."""

from collections.abc import Iterator

from cetp_spec.validator.manifest.exported import service_problems
from cetp_spec.validator.manifest.facts import Component, Manifest
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.near import is_near
from cetp_spec.validator.manifest.roles import describe, discovery_services, has_action
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted


def discovery_problems(manifest: Manifest) -> Iterator[Problem]:
    """All faults of a provider's discovery services, their authority and version aside."""
    services = discovery_services(manifest)
    if not services:
        place = next((provider.place for provider in manifest.of_kind("provider")), manifest.place)
        yield problem("manifest.discovery.missing", place, f"no service answers the action {names().action}")
    for service in services:
        yield from _action(service)
        if service.kind == "service":
            yield from service_problems(manifest, service)
    yield from _stray_meta_data(manifest, services)


def _action(service: Component) -> Iterator[Problem]:
    exact = [action for action in service.actions if action.name == names().action]
    if not exact:
        near = next((action for action in service.actions if is_near(action.name, names().action)), None)
        place = near.place if near else service.place
        found = f"has the action {quoted(near.name)}" if near else "has no such action in a filter"
        message = f"consumers look for {names().action}; {describe(service)} {found}"
        yield problem("manifest.discovery.action", place, message)
    elif service.kind != "service":
        message = f"the action stands on {describe(service)}, but consumers ask for services"
        yield problem("manifest.discovery.component", exact[0].place, message)
    elif all(action.with_data for action in exact):
        message = f"the filter of {describe(service)} asks for <data>, which the consumers' query does not carry"
        yield problem("manifest.discovery.filter-data", exact[0].place, message)


def _stray_meta_data(manifest: Manifest, services: list[Component]) -> Iterator[Problem]:
    """Meta-data with a CETP name, or nearly, where no consumer reads it."""
    known = (names().authority, names().version)
    elsewhere = [item for item in manifest.components if item not in services and not has_action(item)]
    for owner, entries in (
        ("the application", manifest.meta_data),
        *((describe(component), component.meta_data) for component in elsewhere),
    ):
        for meta in entries:
            if meta.name in known:
                message = f"{meta.name} stands in {owner}, not in the discovery service"
                yield problem("manifest.meta-data.misplaced", meta.place, message)
    for service in services:
        for meta in service.meta_data:
            wanted = next((name for name in known if meta.name not in known and is_near(meta.name, name)), None)
            if wanted:
                message = f"{quoted(meta.name)} in {describe(service)} is not read; the name is {wanted}"
                yield problem("manifest.meta-data.misspelt", meta.place, message)
