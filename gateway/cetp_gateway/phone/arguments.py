"""Checks a call's arguments against the schema that the app listed, and fills in its defaults.

The schema may be anything; one that is no schema checks nothing, as with an app that does not check.
"""

from collections.abc import Mapping
from typing import Any, NoReturn

import jsonschema_rs

MAX_PROBLEMS = 5
"""Problems named in one answer."""


class ArgumentCheck:
    """One tool's schema, compiled once. It never fetches anything."""

    def __init__(self, parameters: Any) -> None:
        self._defaults = _defaults(parameters)
        self._validator = _compiled(parameters)

    def problems(self, arguments: Mapping[str, Any]) -> list[str]:
        """One `POINTER: sentence` per problem, at most MAX_PROBLEMS; empty when the arguments fit."""
        if self._validator is None:
            return []
        found: list[str] = []
        for error in self._validator.iter_errors(arguments):
            found.append(f"{_pointer(error.instance_path)}: {error.message[:200]}")
            if len(found) == MAX_PROBLEMS:
                break
        return found

    def complete(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the schema's defaults for those that were not given."""
        return {**self._defaults, **arguments}


def _compiled(parameters: Any) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for(parameters, retriever=_refuse)
    except (ValueError, TypeError):
        return None


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not fetched")


def _defaults(parameters: Any) -> dict[str, Any]:
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    if not isinstance(properties, dict):
        return {}
    return {name: rule["default"] for name, rule in properties.items() if isinstance(rule, dict) and "default" in rule}


def _pointer(path: list[str | int]) -> str:
    """RFC 6901; `/` for the whole."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path) or "/"
