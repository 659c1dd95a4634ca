"""Computes what an app answers: the fitting reply of a tool, its query or template, as a reply of spec 5.

Plain functions of pack, arguments and day.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from cetp_gateway.phone.conditions import Record
from cetp_gateway.phone.days import render_days
from cetp_gateway.phone.pack import Failure, Pack, PackTool, Reply
from cetp_gateway.phone.query import run
from cetp_spec.codes import ErrorCode

Bundle = dict[str, str]
"""A reply as a provider gives it (spec 5): `status` with `data`, or with the error's keys."""

_NAME = re.compile(r"\{(\w+)\}")


def success(data: str) -> Bundle:
    """A reply of status success; `data` is JSON text unless the app is careless."""
    return {"status": "success", "data": data}


def failure(code: str, message: str, hint: str = "", intent: str = "") -> Bundle:
    """A reply of status error; the optional keys are left out when empty."""
    bundle = {"status": "error", "error_code": str(code), "error_message": message}
    optional = {"resolution_hint": hint, "authorize_intent": intent}
    return bundle | {key: text for key, text in optional.items() if text}


def fitting_reply(tool: PackTool, arguments: Mapping[str, Any]) -> Reply | None:
    """The first reply whose `when` fits, None when there is none."""
    return next((reply for reply in tool.replies if reply.when.items() <= arguments.items()), None)


def answer(pack: Pack, reply: Reply, arguments: Mapping[str, Any], today: date) -> Bundle:
    """The Bundle for one call. `arguments` fit the tool's schema, defaults filled in."""
    if reply.error is not None:
        return _failed(reply.error, arguments, today)
    if reply.text is not None:
        return success(reply.text)
    if reply.query is None:
        return success(to_json(_filled(reply.data, arguments, today)))
    records: list[Record] = render_days(pack.data[reply.query.table], today)
    found = run(reply.query, records, arguments, today)
    if reply.none is not None and (found is None or found.get("total") == 0):
        return _failed(reply.none, arguments, today)
    return success(to_json(found))


def to_json(value: Any) -> str:
    """Compact JSON that keeps all letters and all digits."""
    return msgspec.json.encode(value).decode()


def _failed(said: Failure, arguments: Mapping[str, Any], today: date) -> Bundle:
    texts = (_filled(text, arguments, today) for text in (said.message, said.hint, said.intent))
    return failure(said.code, *texts)


def _filled(template: Any, arguments: Mapping[str, Any], today: date) -> Any:
    """The template with `{argument}` and `{today+N}` replaced; a text that is only `{argument}` takes its value."""
    return _with_arguments(render_days(template, today), arguments)


def _with_arguments(value: Any, arguments: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_with_arguments(item, arguments) for item in value]
    if isinstance(value, dict):
        return {key: _with_arguments(item, arguments) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    whole = _NAME.fullmatch(value)
    if whole and whole[1] in arguments:
        return arguments[whole[1]]
    return _NAME.sub(lambda name: _shown(arguments.get(name[1], name[0])), value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value)


def no_reply(tool: PackTool) -> Bundle:
    """What an app says when its pack has no reply for these arguments."""
    return failure(ErrorCode.INTERNAL_ERROR, f"{tool.name} has no reply for these arguments")
