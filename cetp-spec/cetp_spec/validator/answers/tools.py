"""Rules for the tools of a provider: the list, names, descriptions, and the promise to read only (spec 4.1, 7)."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cetp_spec.naming import MAX_LENGTH, SEPARATOR, can_be_named, fit, label_for
from cetp_spec.validator.answers.limits import DESCRIPTION_CHARS, TOOLS, TOOLS_READ
from cetp_spec.validator.answers.parameters import parameters_problems
from cetp_spec.validator.answers.structure import structure_problems
from cetp_spec.validator.problem import Place, Problem, Severity
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted
from cetp_spec.writing_words import writing_word


def list_tools_problems(data: Any, place: Place, application_id: str = "") -> Iterator[Problem]:
    """All faults of the data of a list_tools reply; the application id decides the label in front of the names."""
    tools = data.get("tools") if isinstance(data, dict) else None
    if not isinstance(tools, list):
        found = "a bare list" if isinstance(data, list) else "no list of tools"
        yield problem("tools.structure", place, f'is {found}; it must be an object with an array "tools"')
        return
    place = place.below("tools")
    if not tools:
        yield problem("tools.empty", place, "offers no tool at all")
    if len(tools) > TOOLS_READ:
        message = f"has {len(tools)} tools; consumers register {TOOLS_READ} at most, and no more are checked here"
        yield problem("tools.too-many", place, message)
    elif len(tools) > TOOLS:
        yield problem("tools.many", place, f"has {len(tools)} tools; {TOOLS} fit into one request of some vendors")
    for index, tool in enumerate(tools[:TOOLS_READ]):
        yield from tool_problems(tool, place.below(index), application_id)
    yield from _duplicates(tools[:TOOLS_READ], place)


def tool_problems(tool: Any, place: Place, application_id: str = "") -> Iterator[Problem]:
    """All faults of one tool."""
    if not isinstance(tool, dict):
        yield problem("tool.structure", place, "is not an object with name, description and parameters")
        return
    own = [*_description(tool, place), *parameters_problems(tool, place)]
    own = [*_name(tool, place, application_id), *(_about(tool, found) for found in own)]
    yield from own
    if not any(found.severity is Severity.ERROR for found in own):
        # The parameters have been looked at far more closely above, and without recursion.
        outside = {key: value for key, value in tool.items() if key != "parameters"}
        yield from structure_problems("tool", outside, place, "tool.structure")


def _about(tool: dict[str, Any], found: Problem) -> Problem:
    """The problem with the tool's name in front: an index alone says little in a list of fifty."""
    name = tool.get("name")
    if not isinstance(name, str):
        return found
    return msgspec.structs.replace(found, message=f"tool {quoted(name, 40)}: {found.message}")


def _name(tool: dict[str, Any], place: Place, application_id: str) -> Iterator[Problem]:
    name = tool.get("name")
    place = place.below("name") if "name" in tool else place
    if not isinstance(name, str) or not name.strip():
        yield problem("tool.name.missing", place, "the tool has no name")
        return
    if not can_be_named(name):
        yield problem("tool.name.unnameable", place, f"no public name can stand for {quoted(name)}")
        return
    yield from _public_name(name, place, application_id)
    word = writing_word(name)
    if word:
        message = f"{quoted(name)} says by {quoted(word)} that it writes; tools of CETP v1 only read"
        yield problem("tool.writes", place, message)


def _public_name(name: str, place: Place, application_id: str) -> Iterator[Problem]:
    if fit(name[:MAX_LENGTH], name) != name[:MAX_LENGTH]:
        message = f"{quoted(name)} has characters that models do not take; they see {quoted(fit(name, name))}"
        yield problem("tool.name.characters", place, message)
        return
    label = label_for(application_id) if can_be_named(application_id) else "x"
    joined = f"{label}{SEPARATOR}{name}"
    if len(joined) > MAX_LENGTH:
        front = f"with {quoted(label + SEPARATOR)} in front" if application_id else "with even the shortest label"
        message = f"{quoted(name)} has {len(joined)} characters {front}, {MAX_LENGTH} are taken: it will be shortened"
        yield problem("tool.name.shortened", place, message)


def _description(tool: dict[str, Any], place: Place) -> Iterator[Problem]:
    description = tool.get("description")
    if not isinstance(description, str) or not description.strip():
        where = place.below("description") if "description" in tool else place
        yield problem("tool.description.missing", where, "has no description, so no model knows when to call it")
    elif len(description) > DESCRIPTION_CHARS:
        message = (
            f"has a description of {len(description)} characters; some vendors refuse more than {DESCRIPTION_CHARS}"
        )
        yield problem("tool.description.long", place.below("description"), message)


def _duplicates(tools: Sequence[Any], place: Place) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, tool in enumerate(tools):
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            continue
        earlier = first.setdefault(name, index)
        if earlier != index:
            message = f"{quoted(name)} is the name of tool {earlier} as well"
            yield problem("tool.name.duplicate", place.below(index, "name"), message)
