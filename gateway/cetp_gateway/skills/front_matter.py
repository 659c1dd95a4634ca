"""Markdown with YAML in front, between two lines of `---`: the form of Agent Skills and of personas.

Plain functions of text. YAML is read safely: values and nothing that runs. Below: PyYAML.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

_MOST_CHARS: Final = 16 * 1024
_FENCE: Final = "---"
_PLAIN_LINE: Final = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):[ \t]+(\S.*)")


class BadFrontMatter(ValueError):
    """It cannot be read; the text says where."""


class FrontMatter(msgspec.Struct, frozen=True):
    """A text taken apart."""

    values: Mapping[str, Any]
    """Empty when there is no front matter."""
    body: str
    note: str = ""
    """What is wrong without being in the way."""


def read_front_matter(text: str) -> FrontMatter:
    """Take a text apart. Raises BadFrontMatter."""
    text = text.removeprefix("\ufeff")
    first, _, rest = text.partition("\n")
    if first.rstrip() != _FENCE:
        return FrontMatter({}, text)
    lines = rest.split("\n")
    end = next((number for number, line in enumerate(lines) if line.rstrip() == _FENCE), None)
    if end is None:
        raise BadFrontMatter("its front matter begins with --- and has no --- at its end")
    head, body = "\n".join(lines[:end]), "\n".join(lines[end + 1 :])
    if len(head) > _MOST_CHARS:
        raise BadFrontMatter(f"its front matter has more than {_MOST_CHARS} characters")
    values, note = _values(head)
    return FrontMatter(values, body, note)


def _values(head: str) -> tuple[Mapping[str, Any], str]:
    # Most gateways have neither skills nor personas in files.
    import yaml  # noqa: PLC0415

    try:
        values = yaml.safe_load(head)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark is not None else 2
        plain = _plain(head)
        if plain is None:
            raise BadFrontMatter(f"line {line}: its front matter is no YAML ({error.problem})") from None
        return plain, f"line {line} is no YAML ({error.problem}); put the value in quotes"
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadFrontMatter(f"its front matter is no YAML ({type(error).__name__})") from None
    if values is None:
        return {}, ""
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise BadFrontMatter("its front matter should be lines of `name: value`")
    return values, ""


def _plain(head: str) -> Mapping[str, str] | None:
    """Lines of `name: text` where the text holds what YAML wants in quotes, most often a colon; None for others."""
    found = [_PLAIN_LINE.fullmatch(line.rstrip()) for line in head.split("\n") if line.strip()]
    return {match[1]: match[2] for match in found if match} if all(found) else None
