"""Turns the elements of a manifest into facts. Judges nothing; what is absent stays None or empty."""

from cetp_spec.validator.manifest.element import Element
from cetp_spec.validator.manifest.facts import (
    Action,
    Component,
    Manifest,
    MetaData,
    Origin,
    Permission,
    SdkVersions,
)
from cetp_spec.validator.manifest.resolution import Resolver, Setting
from cetp_spec.validator.problem import Place

COMPONENTS = ("service", "provider", "activity", "activity-alias", "receiver")
PREVIEW_SDK = 10_000
"""Stands for a target given by the code name of an Android version to come."""


class FactReader:
    """Reads the elements of one file."""

    def __init__(self, file: str, resolver: Resolver, origin: Origin) -> None:
        self._file = file
        self._resolver = resolver
        self._origin = origin

    def manifest(self, root: Element) -> Manifest:
        """All facts of a `<manifest>`; the application id is the `package` attribute."""
        application = root.first("application") or Element("application", root.line)
        queries = [(element, False) for element in root.named("queries")]
        queries += [(element, True) for element in application.named("queries")]
        return Manifest(
            place=Place(self._file),
            origin=self._origin,
            application_id=self._text(root, "package"),
            label=self._setting(application, "android:label"),
            sdk=self._sdk(root),
            enabled=self._setting(application, "android:enabled"),
            components=tuple(self._component(child, application) for child in application.named(*COMPONENTS)),
            meta_data=self._meta_data(application),
            defines=tuple(self._permission(element) for element in root.named("permission")),
            uses=tuple(self._text(element, "android:name") for element in root.named("uses-permission")),
            queries=tuple(action for element, inside in queries for action in self._queried(element, inside)),
            queries_place=self._place(queries[0][0]) if queries else None,
        )

    def _component(self, element: Element, application: Element) -> Component:
        filters = list(element.named("intent-filter"))
        return Component(
            kind=element.tag,
            name=self._text(element, "android:name"),
            place=self._place(element),
            exported=self._setting(element, "android:exported"),
            enabled=self._setting(element, "android:enabled"),
            permission=self._required_permission(element, application),
            authorities=self._setting(element, "android:authorities"),
            init_order=self._setting(element, "android:initOrder"),
            actions=tuple(action for filter_ in filters for action in self._actions(filter_)),
            has_filter=bool(filters),
            meta_data=self._meta_data(element),
        )

    def _required_permission(self, element: Element, application: Element) -> Setting | None:
        """What a caller must hold; ContentProvider.call() is let through by either of the two partial ones."""
        own = ("android:permission", "android:readPermission", "android:writePermission")
        candidates = [self._setting(element, name) for name in own]
        candidates.append(self._setting(application, "android:permission"))
        return next((setting for setting in candidates if setting is not None), None)

    def _actions(self, parent: Element, *, misplaced: bool = False) -> list[Action]:
        with_data = parent.first("data") is not None
        return [
            Action(self._text(element, "android:name"), self._place(element), with_data, misplaced)
            for element in parent.named("action")
        ]

    def _queried(self, queries: Element, misplaced: bool) -> list[Action]:
        return [action for intent in queries.named("intent") for action in self._actions(intent, misplaced=misplaced)]

    def _meta_data(self, parent: Element) -> tuple[MetaData, ...]:
        return tuple(
            MetaData(
                name=self._text(element, "android:name"),
                place=self._place(element),
                value=self._setting(element, "android:value"),
                resource=self._setting(element, "android:resource"),
            )
            for element in parent.named("meta-data")
        )

    def _permission(self, element: Element) -> Permission:
        return Permission(
            name=self._text(element, "android:name"),
            place=self._place(element),
            level=self._setting(element, "android:protectionLevel"),
        )

    def _sdk(self, root: Element) -> SdkVersions:
        element = root.first("uses-sdk")
        if element is None:
            return SdkVersions()
        return SdkVersions(
            target=self._level(element, "android:targetSdkVersion"),
            minimum=self._level(element, "android:minSdkVersion"),
        )

    def _level(self, element: Element, attribute: str) -> int | None:
        text = self._text(element, attribute)
        if not text:
            return None
        return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else PREVIEW_SDK

    def _setting(self, element: Element, attribute: str) -> Setting | None:
        value = element.attributes.get(attribute)
        return None if value is None else self._resolver.resolve(value, self._place(element))

    def _text(self, element: Element, attribute: str) -> str:
        """The attribute's text where it is known, else as written."""
        setting = self._setting(element, attribute)
        if setting is None:
            return ""
        return setting.written if setting.text is None else setting.text

    def _place(self, element: Element) -> Place:
        return Place(self._file, element.line)


def read_facts(root: Element, file: str, resolver: Resolver, origin: Origin) -> Manifest:
    """The facts of one manifest; places carry `file` as the reader of a report should see it."""
    return FactReader(file, resolver, origin).manifest(root)
