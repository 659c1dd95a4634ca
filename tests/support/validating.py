"""What tests of the validator share: its problems in short, and its command in this process."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from cetp_gateway.cli.validate import validate_command
from cetp_spec.validator import Problem, validate


def rules(problems: Iterable[Problem]) -> list[str]:
    """The ids, in order."""
    return [found.rule for found in problems]


def rules_of(content: str | bytes, kind: str | None = None, application_id: str = "") -> list[str]:
    """The ids for some content."""
    return rules(validate(_bytes(content), kind, application_id=application_id))


def only(content: str | bytes, kind: str | None = None, application_id: str = "") -> Problem:
    """The one problem that some content has."""
    problems = validate(_bytes(content), kind, application_id=application_id)
    assert len(problems) == 1, "\n".join(map(str, problems))
    return problems[0]


def rules_of_value(value: Any, kind: str | None = None, application_id: str = "") -> list[str]:
    """The ids for a JSON document."""
    return rules_of(json.dumps(value), kind, application_id)


def json_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


def tool(parameters: Any = None, **members: Any) -> dict[str, Any]:
    """A good tool but for what is given."""
    good = {"name": "get_notes", "description": "Notes of a day.", "parameters": parameters or {"type": "object"}}
    return good | members


def listed(*tools: Any) -> dict[str, Any]:
    return {"tools": list(tools)}


def success(data: Any) -> dict[str, str]:
    """A reply that carries this value."""
    return {"status": "success", "data": json.dumps(data)}


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    """The command's outcome, in this process."""
    return CliRunner().invoke(validate_command, [str(item) for item in arguments], input=stdin)


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
