"""Puts calls together from the fragments of a chat completions stream.

Servers differ: some leave the index out, some always send 0, some repeat the id or the name with each fragment,
some give no id at all. A new id always begins a new call; the index is only believed where no id speaks against it.
"""

from typing import Any

import msgspec

from cetp_gateway.models.arguments import read_arguments


class CallFunction(msgspec.Struct, frozen=True):
    """`function` of a fragment. Arguments are text, or an object from servers that decode them."""

    name: str | None = None
    arguments: Any = None


class CallFragment(msgspec.Struct, frozen=True):
    """One entry of `tool_calls`."""

    index: int | None = None
    id: str | int | None = None
    function: CallFunction | None = None
    extra_content: Any = None


class CallInParts(msgspec.Struct):
    """A call as far as it has come."""

    index: int | None
    id: str
    name: str
    text: str = ""
    extra_content: Any = None

    def is_whole(self) -> bool:
        """Something can be read from what has come."""
        return bool(self.text.strip()) and not read_arguments(self.text)[1]


class CallPieces:
    """Feed fragments in order, take the calls at the end."""

    def __init__(self) -> None:
        self.calls: list[CallInParts] = []

    def add(self, fragment: CallFragment) -> None:
        """Continue a call or begin one."""
        function = fragment.function or CallFunction()
        call = self._continued(fragment, function.name or "")
        if call is None:
            call = CallInParts(fragment.index, _text(fragment.id), function.name or "")
            self.calls.append(call)
        call.id = call.id or _text(fragment.id)
        call.name = call.name or function.name or ""
        call.text += _argument_text(function.arguments)
        if fragment.extra_content is not None:
            call.extra_content = fragment.extra_content

    def _continued(self, fragment: CallFragment, name: str) -> CallInParts | None:
        """The call that a fragment belongs to; None when it begins a new one."""
        call_id = _text(fragment.id)
        if call_id:
            same = [call for call in self.calls if call.id == call_id]
            waiting = [call for call in self.calls if not call.id and call.index == fragment.index and not call.text]
            return next(reversed(same or waiting), None)
        candidates = [call for call in self.calls if fragment.index is None or call.index == fragment.index]
        if not candidates or _begins_another(candidates[-1], name):
            return None
        return candidates[-1]


def _begins_another(call: CallInParts, name: str) -> bool:
    """A name without an id: the next call, unless it only repeats the name of one that is not whole yet."""
    return bool(name and call.name) and (name != call.name or call.is_whole())


def _text(value: str | int | None) -> str:
    return "" if value is None else str(value)


def _argument_text(arguments: Any) -> str:
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()
