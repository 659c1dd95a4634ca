"""The actions of the pipe (pipe 8), as `pipe/actions.json` and the schemas have them."""

from functools import cache
from typing import Any, Literal

import msgspec

from cetp_spec import data
from cetp_spec.pipe import schemas


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a browser can be asked for."""

    effect: Literal["reads", "writes"]
    core: bool
    """One of the four that every host offers."""
    about: str
    """A sentence, for models and people."""


@cache
def actions() -> dict[str, Action]:
    """All actions by name. Read only: all callers share it."""
    return msgspec.json.decode((data.root() / "pipe" / "actions.json").read_bytes(), type=dict[str, Action])


def params_schema(action: str) -> dict[str, Any]:
    """The JSON Schema of an action's params, self-contained. Raises schemas.UnknownSchema."""
    return schemas.load(f"params/{action}")


def result_schema(action: str) -> dict[str, Any]:
    """The JSON Schema of an action's result, self-contained. Raises schemas.UnknownSchema."""
    return schemas.load(f"result/{action}")
