"""Whether a message fits its schema, and if not, why, without repeating what stands in it (pipe 4, 8).

Above: the sessions of both sides. Below: the published schemas.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from cetp_spec.pipe import schemas

if TYPE_CHECKING:
    import jsonschema_rs

_MASK = "it"
"""Stands in the library's sentences in place of values, which may be secret or long."""
_MAX_CHARS = 300


def misfit(name: str, value: Any) -> str:
    """Empty when the value fits the schema, else a sentence that names the place. `name` as in `schemas.load`."""
    check = _check(name)
    if check.is_valid(value):
        return ""
    error = next(check.iter_errors(value))
    place = "/".join(str(part) for part in error.instance_path)
    return f"{place or 'the object'}: {error.message}"[:_MAX_CHARS]


@cache
def _check(name: str) -> "jsonschema_rs.Validator":
    # Imported here: an agent that sends commands needs it only when the first answer comes.
    import jsonschema_rs  # noqa: PLC0415

    return jsonschema_rs.Draft202012Validator(schemas.load(name), mask=_MASK, offline=True)
