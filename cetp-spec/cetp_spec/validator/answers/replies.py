"""Rules for reply Bundles: status, data that is JSON text, the six codes, the size of a Binder call (spec 5, 6, 12)."""

from collections.abc import Iterator
from typing import Any

from cetp_spec.codes import ErrorCode
from cetp_spec.validator.answers.json_text import Document, decode
from cetp_spec.validator.answers.limits import BINDER_BYTES, LARGE_REPLY_BYTES
from cetp_spec.validator.answers.structure import structure_problems
from cetp_spec.validator.problem import Place, Problem, Severity
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted
from cetp_spec.validator.unreadable import Unreadable

AUTH_FIELDS = ("resolution_hint", "authorize_intent")


def reply_problems(bundle: Any, place: Place) -> Iterator[Problem]:
    """All faults of the Bundle itself; what its data means is not looked at."""
    if not isinstance(bundle, dict):
        yield problem("reply.structure", place, "is not an object with the keys of a reply")
        return
    own = list(_own(bundle, place))
    yield from own
    if not any(found.severity is Severity.ERROR for found in own):
        # Whether the data is JSON is seen when it is decoded.
        shape = bundle | {"data": "null"} if "data" in bundle else bundle
        yield from structure_problems("reply", shape, place, "reply.structure")


def data_of(bundle: Any, place: Place) -> tuple[Document | None, list[Problem]]:
    """The decoded data of a success reply and the problems of its text; None when there is nothing to look at."""
    text = bundle.get("data") if isinstance(bundle, dict) and bundle.get("status") == "success" else None
    if not isinstance(text, str):
        return None, []
    place = place.below("data")
    try:
        document = decode(text, place)
    except Unreadable as fault:
        return None, [problem("reply.data.not-json", place, f"the data {fault.message}")]
    problems = list(document.problems)
    if isinstance(document.value, str) and _holds_structure(document.value):
        message = "the data is a JSON string that holds JSON: encoded once too often"
        problems.append(problem("reply.data.encoded-twice", place, message))
    return document, problems


def size_problems(texts: list[str], place: Place) -> Iterator[Problem]:
    """Whether the texts of one reply fit into a Binder call, where each UTF-16 unit takes two bytes."""
    size = sum(len(text.encode("utf-16-le", "surrogatepass")) for text in texts)
    if size >= BINDER_BYTES:
        message = f"takes {size} bytes as Java strings; a Binder call carries less than {BINDER_BYTES}"
        yield problem("reply.size.over", place, message)
    elif size >= LARGE_REPLY_BYTES:
        message = f"takes {size} bytes as Java strings; three such replies at a time fill Binder's buffer"
        yield problem("reply.size.large", place, message)


def _own(bundle: dict[str, Any], place: Place) -> Iterator[Problem]:
    status = bundle.get("status")
    if status not in ("success", "error"):
        found = f"is {quoted(str(status))}" if "status" in bundle else "is missing"
        where = place.below("status") if "status" in bundle else place
        yield problem("reply.status", where, f'the status {found}; it is "success" or "error"')
    elif status == "success":
        yield from _success(bundle, place)
    else:
        yield from _error(bundle, place)
    yield from size_problems([value for value in bundle.values() if isinstance(value, str)], place)


def _success(bundle: dict[str, Any], place: Place) -> Iterator[Problem]:
    if "data" not in bundle:
        yield problem("reply.data.missing", place, "a success reply without data")
    elif not isinstance(bundle["data"], str):
        message = "the data is not a string; Bundles carry it as JSON text"
        yield problem("reply.data.not-text", place.below("data"), message)
    stray = [key for key in ("error_code", "error_message", *AUTH_FIELDS) if key in bundle]
    if stray:
        yield problem("reply.mixed", place.below(stray[0]), f"a success reply with {', '.join(stray)}")


def _error(bundle: dict[str, Any], place: Place) -> Iterator[Problem]:
    code = bundle.get("error_code")
    if not isinstance(code, str) or not code:
        yield problem("reply.error-code.missing", place, "an error reply without error_code")
    elif code not in ErrorCode.__members__:
        message = f"{quoted(code)} is none of {', '.join(ErrorCode)}"
        yield problem("reply.error-code.unknown", place.below("error_code"), message)
    if not isinstance(bundle.get("error_message"), str):
        yield problem("reply.error-message.missing", place, "an error reply without error_message")
    elif not bundle["error_message"].strip():
        yield problem("reply.error-message.empty", place.below("error_message"), "the error_message says nothing")
    if "data" in bundle:
        yield problem("reply.mixed", place.below("data"), "an error reply with data")
    yield from _authorisation(bundle, place, is_wanted=code == ErrorCode.AUTH_REQUIRED)


def _authorisation(bundle: dict[str, Any], place: Place, *, is_wanted: bool) -> Iterator[Problem]:
    present = [key for key in AUTH_FIELDS if key in bundle]
    if is_wanted and not present:
        message = "AUTH_REQUIRED without resolution_hint or authorize_intent: the user is not told what to do"
        yield problem("reply.authorisation.no-way", place, message)
    elif present and not is_wanted:
        message = f"{present[0]} belongs to AUTH_REQUIRED; with another code nobody looks at it"
        yield problem("reply.authorisation.misplaced", place.below(present[0]), message)
    intent = bundle.get("authorize_intent")
    if isinstance(intent, str) and (not intent.strip() or any(char.isspace() or char in ":/#;" for char in intent)):
        where = place.below("authorize_intent")
        yield problem("reply.authorisation.intent", where, f"{quoted(intent)} is not the name of an intent action")


def _holds_structure(text: str) -> bool:
    if text.strip()[:1] not in ("{", "["):
        return False
    try:
        decode(text, Place(""))
    except Unreadable:
        return False
    return True
