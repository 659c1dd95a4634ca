"""Rules for the authority: the discovery service names one, and an exported provider of the app has it (spec 3)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from cetp_spec.validator.manifest.facts import Component, Manifest
from cetp_spec.validator.manifest.meta_values import (
    entry_problems,
    leftover_problems,
    setting_of,
    setting_problems,
)
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.resolution import Setting
from cetp_spec.validator.manifest.roles import describe
from cetp_spec.validator.manifest.source_resolver import PLACEHOLDER
from cetp_spec.validator.manifest.values import Form
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import listed, quoted

_ILLEGAL = re.compile("[^A-Za-z0-9_.-]")


def split(authorities: str) -> list[str]:
    """The names in `android:authorities`, a list with semicolons."""
    return [name.strip() for name in authorities.split(";") if name.strip()]


def authority_of(service: Component) -> str | None:
    """The one authority that the service names, or None when it names none that is known here."""
    found = setting_of(service, names().authority)
    text = found[1].text if found else None
    return None if not text or ";" in text else text.strip()


def providers_with(manifest: Manifest, authority: str) -> list[Component]:
    """The app's providers that have the authority."""
    return [
        provider
        for provider in manifest.of_kind("provider")
        if provider.authorities is not None and authority in split(provider.authorities.text or "")
    ]


def authority_problems(manifest: Manifest, service: Component, siblings: Sequence[Manifest]) -> Iterator[Problem]:
    """All faults of the authority that a discovery service names; `siblings` are other modules of the project."""
    name = names().authority
    yield from entry_problems(service, name, "manifest.authority.missing")
    found = setting_of(service, name)
    if found is None:
        return
    _, setting = found
    yield from setting_problems(setting, name, "manifest.authority.varies")
    yield from leftover_problems(setting, name, manifest.origin)
    if setting.value is None:
        return
    if setting.value.form is not Form.TEXT:
        message = f"the authority {quoted(setting.written)} reaches the app as a {setting.value.form}, not as text"
        yield problem("manifest.authority.not-text", setting.place, message)
    elif ";" in setting.value.text:
        message = f"{quoted(setting.value.text)} is a list; the service names exactly one authority"
        yield problem("manifest.authority.list", setting.place, message)
    else:
        yield from _match(manifest, setting, siblings)


def provider_list_problems(manifest: Manifest) -> Iterator[Problem]:
    """Faults of the providers' own lists: blanks, empty places, an authority that two of them have."""
    counted: Counter[str] = Counter()
    for provider in manifest.of_kind("provider"):
        if provider.authorities is None or provider.authorities.text is None:
            continue
        text = provider.authorities.text
        if text != ";".join(split(text)):
            message = f"android:authorities={quoted(text)} of {describe(provider)} has blanks or empty places in it"
            yield problem("manifest.authority.untidy", provider.place, message)
        for authority in set(split(text)):
            counted[authority] += 1
            if counted[authority] == 2:
                message = f"the authority {quoted(authority)} belongs to more than one provider of this app"
                yield problem("manifest.authority.shared", provider.place, message)


def _match(manifest: Manifest, setting: Setting, siblings: Sequence[Manifest]) -> Iterator[Problem]:
    authority = (setting.text or "").strip()
    if authority != setting.text:
        message = f"the authority {quoted(setting.text or '')} has blanks around it, which belong to the name"
        yield problem("manifest.authority.untidy", setting.place, message)
    if _ILLEGAL.search(PLACEHOLDER.sub("", authority)):
        yield problem("manifest.authority.characters", setting.place, f"{quoted(authority)} is no authority")
    matched = providers_with(manifest, authority)
    providers = [provider for provider in manifest.of_kind("provider") if provider.authorities is not None]
    undecided = [provider for provider in providers if not _comparable(setting, provider)]
    for provider in matched or undecided:
        yield from _half_fixed(setting, provider)
    if not matched and not undecided and not any(providers_with(sibling, authority) for sibling in siblings):
        present = [name for provider in providers for name in _shown(provider)]
        there = f"there are {listed(present)}" if present else "there is no provider"
        message = f"no <provider> of this app has the authority {quoted(authority)}; {there}"
        yield problem("manifest.authority.unmatched", setting.place, message)


def _comparable(setting: Setting, provider: Component) -> bool:
    """Whether unequal texts are proof: both known, or open in the same placeholders."""
    text = provider.authorities.text if provider.authorities else None
    return text is not None and _open(text) == _open(setting.text or "")


def _open(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


def _half_fixed(setting: Setting, provider: Component) -> Iterator[Problem]:
    other = provider.authorities
    if other is not None and other.value is not None and bool(other.placeholders) != bool(setting.placeholders):
        message = f"{describe(provider)} has {quoted(other.written)}, but the service has {quoted(setting.written)}"
        yield problem("manifest.authority.half-fixed", setting.place, message)


def _shown(provider: Component) -> list[str]:
    return split(provider.authorities.text or provider.authorities.written) if provider.authorities else []
