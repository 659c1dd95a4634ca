"""Which part an app plays in CETP, and which component speaks for it."""

from cetp_spec.validator.manifest.facts import Component, Manifest, MetaData
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.near import is_near

MAX_SERVICES = 50
"""Discovery services of one app that are looked at; honest apps have one."""


def discovery_services(manifest: Manifest) -> list[Component]:
    """Services that consumers find, or else the components that were meant to be found."""
    exact = [component for component in manifest.of_kind("service") if has_action(component)]
    found = exact or [component for component in manifest.components if _is_meant(component)]
    return found[:MAX_SERVICES]


def is_provider(manifest: Manifest) -> bool:
    """Whether anything in the manifest offers tools, however wrongly."""
    known = (names().authority, names().version)
    if any(meta.name in known for meta in manifest.meta_data):
        return True
    return bool(discovery_services(manifest)) or any(_guarded(provider) for provider in manifest.of_kind("provider"))


def asks_for_tools(manifest: Manifest) -> bool:
    """Whether it queries for providers, spelled right or nearly."""
    action = names().action
    return any(query.name == action or is_near(query.name, action) for query in manifest.queries)


def is_consumer(manifest: Manifest) -> bool:
    """Whether it calls other apps' tools. A provider that merely requests the permission is none."""
    holds = names().permission in manifest.uses or any(entry.name == names().permission for entry in manifest.defines)
    return asks_for_tools(manifest) or (holds and not is_provider(manifest))


def meta_data_of(component: Component, name: str) -> MetaData | None:
    """The component's meta-data of this name; the last one counts, as on Android."""
    return next((meta for meta in reversed(component.meta_data) if meta.name == name), None)


def describe(component: Component) -> str:
    """The component in words: `service .Tools`."""
    return f"{component.kind} {component.name or 'without a name'}"


def has_action(component: Component) -> bool:
    """Whether one of its filters has the very action."""
    return any(action.name == names().action for action in component.actions)


def _is_meant(component: Component) -> bool:
    if any(action.name == names().action or is_near(action.name, names().action) for action in component.actions):
        return True
    known = (names().authority, names().version)
    return component.kind == "service" and any(meta.name in known for meta in component.meta_data)


def _guarded(provider: Component) -> bool:
    return provider.permission is not None and provider.permission.text == names().permission
