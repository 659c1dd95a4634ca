"""Steps of a file in place of a model: for demonstrations and for tests of hosts, without a vendor and without chance.

    [{"calls": [{"name": "browser_navigate", "arguments": {"url": "http://127.0.0.1:8000/"}}]},
     {"calls": [{"name": "browser_get_text", "arguments": {}}]},
     {"find": {"total": "Total: ([0-9.]+)"}, "text": "The total is {total}."}]

`find` looks in the results so far, the newest first, and puts the expression's first group into texts and arguments.
Above: `cetp pipe agent`. Below: the scripted model that ships for tests.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from cetp_gateway.api import Message, ModelRequest, ToolResults, ToolUse
from cetp_gateway.testing import ScriptedModel, ScriptedStep

NOT_FOUND: Final = "(not found)"


class ScriptCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool to be called."""

    name: str
    arguments: dict[str, Any] = {}


class ScriptStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said and called at once. A step without calls ends its task."""

    text: str = ""
    find: dict[str, str] = {}
    calls: tuple[ScriptCall, ...] = ()


def script_model(file: Path) -> ScriptedModel:
    """A model that follows the file. Raises click.ClickException when that cannot be read."""
    try:
        steps = msgspec.json.decode(file.read_bytes(), type=tuple[ScriptStep, ...])
        for expression in (expression for step in steps for expression in step.find.values()):
            re.compile(expression)
    except OSError as error:
        raise click.ClickException(f"--script: {file} cannot be read ({error.strerror}).") from None
    except (msgspec.DecodeError, re.error) as error:
        raise click.ClickException(f"--script: {file} is no script: {error}.") from None
    return ScriptedModel([_Played(number, step).play for number, step in enumerate(steps, start=1)], model=file.stem)


class _Played:
    def __init__(self, number: int, step: ScriptStep) -> None:
        self._number = number
        self._step = step

    def play(self, request: ModelRequest) -> ScriptedStep:
        found = {name: _find(expression, request.messages) for name, expression in self._step.find.items()}
        calls = (
            ToolUse(f"script-{self._number}-{place}", call.name, _filled(call.arguments, found))
            for place, call in enumerate(self._step.calls, start=1)
        )
        return ScriptedStep(text=_filled(self._step.text, found), calls=tuple(calls))


def _find(expression: str, messages: Sequence[Message]) -> str:
    for text in _results(messages):
        found = re.search(expression, text)
        if found is not None:
            return found[1] if found.re.groups else found[0]
    return NOT_FOUND


def _results(messages: Sequence[Message]) -> Iterator[str]:
    for message in reversed(messages):
        if isinstance(message, ToolResults):
            for result in reversed(message.results):
                yield result.text


def _filled(value: Any, found: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, found) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, found) for inner in value]
    if isinstance(value, str):
        for name, text in found.items():
            value = value.replace(f"{{{name}}}", text)
    return value
