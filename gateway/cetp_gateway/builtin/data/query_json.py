"""The tool that queries JSON.

Above: `all_tools`. Below: `query`, `source`.
"""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import Answered, CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool
from cetp_gateway.builtin.data.query import MAX_QUERY_CHARS, run_query
from cetp_gateway.builtin.data.source import MAX_TEXT_CHARS, PathAsked, ResultAsked, Sources
from cetp_gateway.builtin.declared import Asked, Declared


class JsonAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of which JSON."""

    query: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_QUERY_CHARS, description="JMESPath: items[?price > `10`].name | sort(@)"),
    ]
    text: Annotated[str, Meta(max_length=MAX_TEXT_CHARS, description="The JSON, or lines of JSON.")] = ""
    path: PathAsked = ""
    result: ResultAsked = ""


class QueryJson(BuiltinTool[JsonAsked]):
    """The result as JSON."""

    declared = Declared(
        JsonAsked,
        name="query_json",
        effect=Effect.READS,
        description="Picks, filters, sorts and counts in JSON by JMESPath: a text, a workspace file or a cut result.",
    )

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def run(self, asked: JsonAsked, context: CallContext) -> Answered:
        question = {"query": asked.query}
        source = await self._sources.read(context, text=asked.text, path=asked.path, result=asked.result)
        return await run_query("query_json.py", question, source, context)
