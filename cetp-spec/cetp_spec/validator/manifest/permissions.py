"""Rules for the shared permission: providers ask for it, exactly one installed app defines it (spec 10)."""

from collections.abc import Iterator

from cetp_spec.validator.manifest.exported import is_reachable
from cetp_spec.validator.manifest.facts import Component, Manifest, Permission
from cetp_spec.validator.manifest.names import names
from cetp_spec.validator.manifest.near import is_near
from cetp_spec.validator.manifest.roles import asks_for_tools, describe, is_provider
from cetp_spec.validator.problem import Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

_NORMAL = frozenset({"normal", "0", "0x0"})


def required_problems(manifest: Manifest, provider: Component) -> Iterator[Problem]:
    """Whether callers of the tool provider must hold the shared permission."""
    required = provider.permission
    if required is None:
        if is_reachable(manifest, provider):
            message = f"{describe(provider)} asks for no permission, so every app may call its tools"
            yield problem("manifest.permission.missing", provider.place, message)
        return
    text = required.text
    if text is None or text == names().permission:
        return
    if is_near(text, names().permission):
        message = f"{describe(provider)} asks for {quoted(text)}, which nobody holds; it is {names().permission}"
        yield problem("manifest.permission.misspelt", provider.place, message)
    else:
        message = f"{describe(provider)} asks for {quoted(text)}; consumers hold {names().permission}"
        yield problem("manifest.permission.other", provider.place, message)


def defined_problems(manifest: Manifest) -> Iterator[Problem]:
    """Whether the app may define the shared permission, and defines it rightly."""
    for permission in manifest.defines:
        if permission.name != names().permission:
            continue
        if is_provider(manifest) and not asks_for_tools(manifest):
            message = f"this provider defines {permission.name}; with a second app that does, one cannot be installed"
            yield problem("manifest.permission.defined-by-provider", permission.place, message)
        yield from _level(permission)


def _level(permission: Permission) -> Iterator[Problem]:
    level = permission.level.text if permission.level else "normal"
    if level is not None and level.lower() not in _NORMAL:
        message = f"{permission.name} is defined with protectionLevel {quoted(level)}"
        yield problem("manifest.permission.level", permission.place, message)
