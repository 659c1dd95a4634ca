"""Where a schema's references lead. Only those within the schema are followed, and nothing is ever fetched.

JSON Schema 2020-12, core 8.2. Above: `schema_shape`, `schema_check`. Below: `schema_parts`.
"""

from typing import Any
from urllib.parse import unquote

from cetp_gateway.tools.schema_parts import every_part

Schema = dict[str, Any]

_UNUSUAL = ("$dynamicRef", "$recursiveRef")


class Unusable(Exception):
    """The schema cannot be used; the text says why, as the end of a sentence."""


class References:
    """The references of one schema whose size and depth are bounded.

    Raises:
        Unusable: one leads out of the schema or nowhere, or there are more than `most`.
    """

    def __init__(self, schema: Schema, most: int) -> None:
        self._root = schema
        self._own_id = schema.get("$id", "")
        self._anchors: dict[str, Schema] = {}
        self._targets: dict[str, Schema] = {}
        refs = []
        for part in every_part(schema):
            self._refuse_unusual(part)
            anchor = part.get("$anchor")
            if type(anchor) is str:
                self._anchors[anchor] = part
            if "$ref" in part:
                refs.append(part["$ref"])
        if len(refs) > most:
            raise Unusable(f"it has {len(refs)} references, at most {most} are taken (limits.schema_refs)")
        for ref in refs:
            self._targets[ref] = self._find(ref)

    def __bool__(self) -> bool:
        return bool(self._targets)

    def target(self, ref: str) -> Schema:
        """The schema that a reference of this schema leads to."""
        return self._targets[ref]

    def targets(self) -> list[Schema]:
        """All schemas that references lead to, each once."""
        return list({id(target): target for target in self._targets.values()}.values())

    def _refuse_unusual(self, part: Schema) -> None:
        for keyword in _UNUSUAL:
            if keyword in part:
                raise Unusable(f"it uses {keyword}; only $ref within the schema is followed")
        if "$id" in part and part is not self._root:
            raise Unusable("it holds a schema with an $id of its own; put definitions into $defs")

    def _find(self, ref: Any) -> Schema:
        if type(ref) is not str:
            raise Unusable("it has a $ref that is no text")
        own = ref.removeprefix(self._own_id) if type(self._own_id) is str else ref
        place, mark, fragment = own.partition("#")
        if place or not mark:
            raise Unusable(f"its reference {shorten(ref)} leads out of the schema, and nothing is fetched")
        found = self._anchors.get(fragment) if fragment and fragment[0] != "/" else self._follow(fragment)
        if type(found) is bool:
            return {}
        if type(found) is not dict:
            raise Unusable(f"its reference {shorten(ref)} leads nowhere")
        return found

    def _follow(self, pointer: str) -> Any:
        """What a JSON pointer (RFC 6901, in a URI fragment) leads to; None when there is nothing."""
        value: Any = self._root
        for token in unquote(pointer).split("/")[1:]:
            name = token.replace("~1", "/").replace("~0", "~")
            if type(value) is dict:
                value = value.get(name)
            elif type(value) is list and name.isascii() and name.isdigit() and int(name) < len(value):
                value = value[int(name)]
            else:
                return None
        return value


def shorten(text: str, most: int = 80) -> str:
    """Text of a stranger, quoted, on one line and not at length."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")
