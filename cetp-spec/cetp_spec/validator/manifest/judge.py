"""Puts the manifest rules together: facts in, problems out."""

from collections.abc import Iterator, Sequence

from cetp_spec.validator.manifest.authorities import (
    authority_of,
    authority_problems,
    provider_list_problems,
    providers_with,
)
from cetp_spec.validator.manifest.discovery import discovery_problems
from cetp_spec.validator.manifest.exported import provider_problems
from cetp_spec.validator.manifest.facts import Component, Manifest
from cetp_spec.validator.manifest.meta_values import leftover_problems, setting_problems
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.permissions import defined_problems, required_problems
from cetp_spec.validator.manifest.queries import consumer_problems
from cetp_spec.validator.manifest.roles import describe, discovery_services, is_consumer, is_provider
from cetp_spec.validator.manifest.values import Form
from cetp_spec.validator.manifest.versions import version_problems
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted


def manifest_problems(manifest: Manifest, siblings: Sequence[Manifest] = ()) -> Iterator[Problem]:
    """All faults of one manifest; `siblings` are the other modules of its project."""
    provider, consumer = is_provider(manifest), is_consumer(manifest)
    if provider:
        yield from _provider(manifest, siblings)
    if consumer:
        yield from consumer_problems(manifest, siblings)
    yield from defined_problems(manifest)
    if not provider and not consumer and not any(is_provider(other) or is_consumer(other) for other in siblings):
        message = f"nothing here has to do with CETP: no service answers {names().action}"
        yield problem("manifest.discovery.missing", manifest.place, message)


def _provider(manifest: Manifest, siblings: Sequence[Manifest]) -> Iterator[Problem]:
    services = discovery_services(manifest)
    if services or not any(discovery_services(sibling) for sibling in siblings):
        yield from discovery_problems(manifest)
    for service in services:
        yield from authority_problems(manifest, service, siblings)
        yield from version_problems(service)
    yield from provider_list_problems(manifest)
    for provider in _tool_providers(manifest, siblings):
        yield from _authority_list(manifest, provider)
        yield from provider_problems(manifest, provider)
        yield from required_problems(manifest, provider)
        yield from _init_order(provider)


def _tool_providers(manifest: Manifest, siblings: Sequence[Manifest]) -> list[Component]:
    """The providers behind the discovery services; when none matches and there is but one, that one."""
    services = [service for module in (manifest, *siblings) for service in discovery_services(module)]
    authorities = [authority_of(service) for service in services]
    matched = [provider for authority in authorities if authority for provider in providers_with(manifest, authority)]
    unique = list(dict.fromkeys(id(provider) for provider in matched))
    providers = manifest.of_kind("provider")
    if not unique:
        return list(providers) if len(providers) == 1 else []
    return [provider for provider in providers if id(provider) in unique]


def _authority_list(manifest: Manifest, provider: Component) -> Iterator[Problem]:
    setting = provider.authorities
    if setting is None:
        return
    name = f"android:authorities of {describe(provider)}"
    yield from setting_problems(setting, name, "manifest.authority.varies")
    yield from leftover_problems(setting, name, manifest.origin)
    if manifest.several_builds and not setting.placeholders and setting.value is not None:
        message = f"{name} is the fixed text {quoted(setting.written)} in builds with different application ids"
        yield problem("manifest.authority.fixed", setting.place, message)


def _init_order(provider: Component) -> Iterator[Problem]:
    order = provider.init_order
    wanted = names().init_order
    if order is None or (order.value is not None and not _reaches(order.value.form, order.value.text, wanted)):
        found = "no android:initOrder" if order is None else f"android:initOrder={quoted(order.written)}"
        message = f"{describe(provider)} has {found}; the protocol recommends {wanted}"
        yield problem("manifest.provider.init-order", provider.place, message)


def _reaches(form: Form, text: str, wanted: int) -> bool:
    return form is Form.INTEGER and int(text) >= wanted
