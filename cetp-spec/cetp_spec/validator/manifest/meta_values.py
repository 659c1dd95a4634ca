"""What authority and version have in common: a meta-data value that must be there and be one value (spec 3)."""

from collections.abc import Iterator

from cetp_spec.validator.manifest.facts import Component, MetaData, Origin
from cetp_spec.validator.manifest.near import is_near
from cetp_spec.validator.manifest.resolution import Setting
from cetp_spec.validator.manifest.roles import describe, meta_data_of
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

SPELLED_OUT = "openBracket"
"""Some build tools turn `${applicationId}` into words such as `dollar_openBracket_applicationId_closeBracket`."""


def entry_problems(service: Component, name: str, missing_rule: str) -> Iterator[Problem]:
    """Whether the service has the entry at all, and as `android:value`."""
    meta = meta_data_of(service, name)
    if meta is None:
        if not any(is_near(entry.name, name) for entry in service.meta_data):
            yield problem(missing_rule, service.place, f"{describe(service)} has no meta-data {name}")
    elif meta.resource is not None:
        message = f"{name} is given as android:resource: apps would read the number of the resource, not its value"
        yield problem("manifest.meta-data.resource", meta.place, message)
    elif meta.value is None or meta.value.text == "":
        yield problem(missing_rule, meta.place, f"the meta-data {name} has no value")


def setting_of(service: Component, name: str) -> tuple[MetaData, Setting] | None:
    """The entry and its value, when there is one to look at."""
    meta = meta_data_of(service, name)
    if meta is None or meta.resource is not None or meta.value is None or meta.value.text == "":
        return None
    return meta, meta.value


def setting_problems(setting: Setting, name: str, varies_rule: str) -> Iterator[Problem]:
    """Whether a value is one that is known here: pointers, variants and placeholders."""
    if setting.missing:
        yield problem("manifest.resource.missing", setting.place, f"{name} is {setting.written}: {setting.unresolved}")
    elif not setting.variants:
        message = f"{name} is {setting.written} and cannot be resolved here: {setting.unresolved}"
        yield problem("manifest.value.unresolved", setting.place, message)
    elif setting.varies:
        shown = ", ".join(f"{quoted(item.value.text)} ({item.qualifier or 'default'})" for item in setting.variants[:4])
        yield problem(varies_rule, setting.place, f"{name} is {setting.written}, which is not one value: {shown}")
    for placeholder in sorted(setting.unknown):
        message = f"nothing here gives the placeholder ${{{placeholder}}} in {quoted(setting.written)} a value"
        yield problem("manifest.placeholder.unknown", setting.place, message)


def leftover_problems(setting: Setting, name: str, origin: Origin) -> Iterator[Problem]:
    """A placeholder that survived the build, as it is or in words."""
    text = setting.text or ""
    if SPELLED_OUT in text or (origin is Origin.BUILT and "${" in text):
        message = f"{name} is {quoted(text)}: a placeholder that the build left in, the same in every such app"
        yield problem("manifest.placeholder.left", setting.place, message)
