"""Whether other apps reach a component: the rules of Android for `exported` and `enabled` (spec 3).

Providers and services differ in what a missing `exported` means, and both depend on the target version.
"""

from collections.abc import Iterator

from cetp_spec.validator.manifest.facts import Component, Manifest, Origin
from cetp_spec.validator.manifest.resolution import Setting
from cetp_spec.validator.manifest.roles import describe
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

LAST_PROVIDER_DEFAULT = 16
"""Up to this target a provider is exported when it does not say otherwise."""
FIRST_WRITTEN_SERVICE = 31
"""From this target on a component with a filter must say `exported`."""
ASSUMED_TARGET = 35
"""For source manifests that say nothing: stores take no app with an old target."""


def service_problems(manifest: Manifest, service: Component) -> Iterator[Problem]:
    """Faults that keep consumers from finding the discovery service."""
    yield from _disabled(manifest, service, "manifest.discovery.disabled")
    if service.exported is not None:
        yield from _written(service, service.exported, "manifest.discovery.not-exported")
        return
    target, basis = target_of(manifest)
    if not service.has_filter:
        message = f"{describe(service)} has no filter and no android:exported, so it is not exported"
        yield problem("manifest.discovery.not-exported", service.place, message)
    elif target >= FIRST_WRITTEN_SERVICE:
        message = f"{describe(service)} has a filter but no android:exported: it will not install with {basis}"
        yield problem("manifest.discovery.exported-missing", service.place, message)


def provider_problems(manifest: Manifest, provider: Component) -> Iterator[Problem]:
    """Faults that keep consumers from calling the provider."""
    yield from _disabled(manifest, provider, "manifest.provider.disabled")
    if provider.exported is not None:
        yield from _written(provider, provider.exported, "manifest.provider.not-exported")
        return
    target, basis = target_of(manifest)
    if target <= LAST_PROVIDER_DEFAULT:
        message = f"{describe(provider)} has no android:exported and is exported only because of {basis}"
        yield problem("manifest.provider.exported-implied", provider.place, message)
    else:
        message = f"{describe(provider)} has no android:exported, so it is not exported with {basis}"
        yield problem("manifest.provider.not-exported", provider.place, message)


def is_reachable(manifest: Manifest, component: Component) -> bool:
    """Whether any other app may call it, as far as can be known here."""
    if component.exported is not None:
        return component.exported.value is None or component.exported.value.boolean is not False
    return component.has_filter or target_of(manifest)[0] <= LAST_PROVIDER_DEFAULT


def target_of(manifest: Manifest) -> tuple[int, str]:
    """The target version to judge by, and in words what that rests on."""
    sdk = manifest.sdk
    if sdk.target is not None:
        return sdk.target, f"targetSdkVersion {sdk.target}"
    if sdk.minimum is not None:
        return sdk.minimum, f"no targetSdkVersion here, so minSdkVersion {sdk.minimum} counts"
    if manifest.origin is Origin.BUILT:
        return 1, "no targetSdkVersion in it, so 1 counts"
    return ASSUMED_TARGET, f"a target of today ({ASSUMED_TARGET} is assumed, none is given here)"


def _written(component: Component, exported: Setting, rule: str) -> Iterator[Problem]:
    if exported.value is None or exported.value.boolean is None:
        why = exported.unresolved or ("it depends on the configuration" if exported.varies else "it is no boolean")
        message = f"android:exported={quoted(exported.written)} of {describe(component)} is unknown here: {why}"
        yield problem("manifest.exported.unknown", exported.place, message)
    elif exported.value.boolean is False:
        yield problem(rule, exported.place, f'{describe(component)} has android:exported="false"')


def _disabled(manifest: Manifest, component: Component, rule: str) -> Iterator[Problem]:
    for setting, owner in ((component.enabled, describe(component)), (manifest.enabled, "the application")):
        if setting is not None and setting.value is not None and setting.value.boolean is False:
            yield problem(rule, setting.place, f'{owner} has android:enabled="false"')
