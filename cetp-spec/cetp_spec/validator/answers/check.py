"""Checks one JSON document as the kind that it is: the border between bytes and the rules for answers."""

from collections.abc import Iterator
from typing import Any

import msgspec

from cetp_spec.validator.answers.json_text import read_json
from cetp_spec.validator.answers.replies import data_of, reply_problems, size_problems
from cetp_spec.validator.answers.structure import structure_problems
from cetp_spec.validator.answers.tools import list_tools_problems, tool_problems
from cetp_spec.validator.kinds import Kind, kind_of_json
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.text import quoted
from cetp_spec.validator.unreadable import Unreadable


class Answer(msgspec.Struct, frozen=True):
    """What became of one document."""

    kind: Kind
    summary: str
    problems: tuple[Problem, ...]


def check_answer(content: bytes, shown: str, kind: Kind | None = None, application_id: str = "") -> Answer:
    """All problems of one JSON document; its kind is found when none is given.

    Raises:
        Unreadable: not JSON, or like nothing that CETP knows.
    """
    place = Place(shown, pointer="")
    document = read_json(content, place)
    kind = kind or kind_of_json(document.value)
    if kind is None:
        raise Unreadable("input.kind-unknown", "is JSON, but neither a reply nor tools nor provider info")
    problems = [*document.problems, *_problems(document.value, place, kind, application_id, len(content))]
    return Answer(kind, _summary(document.value, kind), tuple(problems))


def _problems(value: Any, place: Place, kind: Kind, application_id: str, size: int) -> Iterator[Problem]:
    if kind is Kind.REPLY or (kind is not Kind.TOOL and _is_bundle(value)):
        yield from _reply(value, place, kind, application_id)
        return
    if kind is Kind.TOOL:
        yield from tool_problems(value, place, application_id)
        return
    yield from _data(value, place, kind, application_id)
    # The bare data travels as one string; its text in the file is the nearest thing to what the app sends.
    if size > 0:
        yield from size_problems(["x" * size], place)


def _reply(bundle: Any, place: Place, kind: Kind, application_id: str) -> Iterator[Problem]:
    yield from reply_problems(bundle, place)
    data, problems = data_of(bundle, place)
    yield from problems
    if data is None:
        return
    meant = kind if kind is not Kind.REPLY else kind_of_json(data.value)
    if meant in (Kind.LIST_TOOLS, Kind.PROVIDER_INFO):
        yield from _data(data.value, place.below("data"), meant, application_id)


def _data(value: Any, place: Place, kind: Kind | None, application_id: str) -> Iterator[Problem]:
    if kind is Kind.LIST_TOOLS:
        yield from list_tools_problems(value, place, application_id)
    else:
        yield from structure_problems("provider-info", value, place, "info.structure")


def _is_bundle(value: Any) -> bool:
    return isinstance(value, dict) and ("status" in value or "error_code" in value)


def _summary(value: Any, kind: Kind) -> str:
    if not _is_bundle(value):
        return _data_summary(value, kind)
    code = value.get("error_code")
    if code:
        return f"error reply {quoted(str(code))}"
    data, _ = data_of(value, Place(""))
    inner = kind_of_json(data.value) if data else None
    return f"success reply, {_data_summary(data.value, inner)}" if data and inner else "success reply"


def _data_summary(value: Any, kind: Kind) -> str:
    if kind is Kind.LIST_TOOLS and isinstance(value, dict) and isinstance(value.get("tools"), list):
        count = len(value["tools"])
        return f"{count} tool" if count == 1 else f"{count} tools"
    return {Kind.TOOL: "one tool", Kind.PROVIDER_INFO: "provider info"}.get(kind, str(kind))
