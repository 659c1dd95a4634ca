"""The small language in which conversations say what a frame must look like (spec 14.4).

Two plain functions of values; the same rules are easily written in another language.
"""

from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "value": (object,),
}
MATCHERS = frozenset({"$any", "$save", "$saved", "$absent", "$unordered"})
"""An object that has one of these keys is a matcher, any other object is a pattern of its keys."""


def mismatch(pattern: Any, value: Any, saved: dict[str, Any]) -> str | None:
    """Why `value` does not fit `pattern`, starting with the JSON pointer of the place; None when it fits.

    What `$save` names is added to `saved`, and only when everything fits.
    """
    found: dict[str, Any] = {}
    problem = _mismatch(pattern, value, saved, found, "")
    if problem is None:
        saved.update(found)
    return problem


def fill(frame: Any, saved: dict[str, Any]) -> Any:
    """A frame to send: every `{"$saved": NAME}` replaced by what has that name.

    Raises:
        KeyError: nothing has been saved under that name.
    """
    if isinstance(frame, dict):
        if set(frame) == {"$saved"}:
            return saved[frame["$saved"]]
        return {key: fill(part, saved) for key, part in frame.items()}
    if isinstance(frame, list):
        return [fill(part, saved) for part in frame]
    return frame


def _mismatch(pattern: Any, value: Any, saved: dict[str, Any], found: dict[str, Any], at: str) -> str | None:
    if isinstance(pattern, dict):
        if MATCHERS & set(pattern):
            return _matcher(pattern, value, saved, found, at)
        return _object(pattern, value, saved, found, at)
    if isinstance(pattern, list):
        return _array(pattern, value, saved, found, at)
    return None if _equal(pattern, value) else f"{at}: {value!r} is not {pattern!r}"


def _matcher(matcher: dict[str, Any], value: Any, saved: dict[str, Any], found: dict[str, Any], at: str) -> str | None:
    if "$absent" in matcher:
        return f"{at}: must not be there"
    if "$saved" in matcher:
        expected = {**saved, **found}[matcher["$saved"]]
        return None if _equal(expected, value) else f"{at}: {value!r} is not the {matcher['$saved']!r} of before"
    if "$unordered" in matcher:
        return _unordered(matcher["$unordered"], value, saved, found, at)
    kind = matcher.get("$any", "value")
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind not in {"boolean", "value"}):
        return f"{at}: {value!r} is no {kind}"
    if "$save" in matcher:
        found[matcher["$save"]] = value
    return None


def _object(pattern: dict[str, Any], value: Any, saved: dict[str, Any], found: dict[str, Any], at: str) -> str | None:
    if not isinstance(value, dict):
        return f"{at}: {value!r} is no object"
    for key, part in pattern.items():
        if key in value:
            problem = _mismatch(part, value[key], saved, found, f"{at}/{key}")
        else:
            problem = None if part == {"$absent": True} else f"{at}: {key!r} is missing"
        if problem is not None:
            return problem
    return None


def _array(pattern: list[Any], value: Any, saved: dict[str, Any], found: dict[str, Any], at: str) -> str | None:
    if not isinstance(value, list) or len(value) != len(pattern):
        return f"{at}: {value!r} is no list of {len(pattern)}"
    for index, (part, item) in enumerate(zip(pattern, value, strict=True)):
        problem = _mismatch(part, item, saved, found, f"{at}/{index}")
        if problem is not None:
            return problem
    return None


def _unordered(patterns: list[Any], value: Any, saved: dict[str, Any], found: dict[str, Any], at: str) -> str | None:
    """Each item takes the first pattern left that it fits."""
    if not isinstance(value, list) or len(value) != len(patterns):
        return f"{at}: {value!r} is no list of {len(patterns)}"
    left = list(patterns)
    for index, item in enumerate(value):
        fitting = [part for part in left if mismatch(part, item, {**saved, **found}) is None]
        if not fitting:
            return f"{at}/{index}: {item!r} fits none of {left!r}"
        left.remove(fitting[0])
        _mismatch(fitting[0], item, saved, found, at)
    return None


def _equal(expected: Any, value: Any) -> bool:
    """JSON's equality: true is not 1."""
    return isinstance(expected, bool) == isinstance(value, bool) and bool(expected == value)
