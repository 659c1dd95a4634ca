"""The tool that queries JSON.

Above: `all_tools`. Below: `query`.
"""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool
from cetp_gateway.builtin.data.query import MAX_QUERY_CHARS, MAX_TEXT_CHARS, run_query
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files import FileSpace
from cetp_gateway.builtin.files.file_tool import MAX_PATH_CHARS


class JsonAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of which JSON."""

    query: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_QUERY_CHARS, description="JMESPath: items[?price > `10`].name | sort(@)"),
    ]
    text: Annotated[str, Meta(max_length=MAX_TEXT_CHARS, description="The JSON, or lines of JSON.")] = ""
    path: Annotated[str, Meta(max_length=MAX_PATH_CHARS, description="File of the workspace, in place of text.")] = ""


class QueryJson(BuiltinTool[JsonAsked]):
    """The result as JSON."""

    declared = Declared(
        JsonAsked,
        name="query_json",
        effect=Effect.READS,
        description="Picks, filters, sorts and counts in JSON by a JMESPath query; a text or a file of the workspace.",
    )

    def __init__(self, space: FileSpace) -> None:
        self._space = space

    async def run(self, asked: JsonAsked, context: CallContext) -> str:
        question = {"query": asked.query}
        return await run_query(
            "query_json.py", question, text=asked.text, path=asked.path, space=self._space, context=context
        )
