"""Resolves values of a source manifest: placeholders first, then what the text is, then resources."""

import re

import msgspec

from cetp_spec.validator.manifest.gradle import BuildFile
from cetp_spec.validator.manifest.resolution import Setting, Variant, from_variants
from cetp_spec.validator.manifest.resources import SourceResources, read_reference
from cetp_spec.validator.manifest.values import Form, Value, literal
from cetp_spec.validator.problem import Place
from cetp_spec.validator.text import quoted

APPLICATION_ID = "applicationId"
PLACEHOLDER = re.compile(r"\$\{([^${}]{1,100})\}")


class SourceResolver:
    """Knows one module: its application id (empty when unknown), build file and resources."""

    def __init__(self, application_id: str, build: BuildFile, resources: SourceResources) -> None:
        self._build = build
        self._resources = resources
        self._known = dict(build.placeholders)
        if application_id:
            self._known[APPLICATION_ID] = application_id

    def resolve(self, value: Value, place: Place) -> Setting:
        """The setting of one attribute. An unknown `${applicationId}` stays in the text: equal texts stay equal."""
        names = frozenset(PLACEHOLDER.findall(value.text))
        text = PLACEHOLDER.sub(lambda match: self._known.get(match.group(1), match.group(0)), value.text)
        setting = self._literal(literal(text), value.text, place)
        unknown = frozenset(name for name in names if not self._may_be_known(name))
        return msgspec.structs.replace(setting, placeholders=names, unknown=unknown)

    def _may_be_known(self, name: str) -> bool:
        return name in self._known or name == APPLICATION_ID or name in self._build.mentions

    def _literal(self, value: Value, written: str, place: Place) -> Setting:
        if value.form is not Form.REFERENCE:
            return Setting(place=place, written=written, variants=(Variant("", value),))
        reference = read_reference(value.text)
        if reference is None or reference.package == "android":
            return Setting(place=place, written=written, unresolved="it points outside this project")
        if not self._resources.at_hand:
            return Setting(place=place, written=written, unresolved="there is no res folder beside this manifest")
        reason = f"no {reference.kind} {quoted(reference.name)} was found in res/values"
        return from_variants(place, written, self._resources.find(reference), reason, missing=True)
