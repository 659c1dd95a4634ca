"""Rules for the protocol version in the meta-data (spec 9).

The build tool stores what looks like a number as a number. 1 is fine so; 1.10 becomes the float 1.1 for good.
"""

import re
from collections.abc import Iterator

from cetp_spec.validator.manifest.facts import Component
from cetp_spec.validator.manifest.meta_values import entry_problems, setting_of, setting_problems
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.values import Form, Value
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

_WHOLE = re.compile(r"[1-9][0-9]{0,8}")
_DOTTED = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})+")


def version_problems(service: Component) -> Iterator[Problem]:
    """All faults of the version that a discovery service gives."""
    name = names().version
    yield from entry_problems(service, name, "manifest.version.missing")
    found = setting_of(service, name)
    if found is None:
        return
    _, setting = found
    yield from setting_problems(setting, name, "manifest.version.varies")
    if setting.value is not None and not setting.placeholders:
        yield from _value(setting.value, setting.written, setting.place)


def _value(value: Value, written: str, place: Place) -> Iterator[Problem]:
    text = value.text
    if value.form in (Form.FLOAT, Form.HEX, Form.BOOLEAN, Form.OTHER):
        found = quoted(written) if written == text else f"{quoted(written)} ({text})"
        message = f"the version {found} reaches the app as a {value.form}, not as the text that stands there"
        yield problem("manifest.version.literal", place, message)
    elif str(names().known_version) in [part.strip() for part in text.split(",")] and "," in text:
        message = f"the version {quoted(text)} is a list; consumers that know lists find {names().known_version} in it"
        yield problem("manifest.version.list", place, message)
    elif not _WHOLE.fullmatch(text) and not _DOTTED.fullmatch(text):
        yield problem(
            "manifest.version.not-a-number", place, f"the version {quoted(text)} is no whole number from 1 on"
        )
    elif text != str(names().known_version):
        known = names().known_version
        message = f"version {quoted(text)} is not known; this validator and today's consumers know version {known}"
        yield problem("manifest.version.unknown", place, message)
