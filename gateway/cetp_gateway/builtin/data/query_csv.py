"""The tool that queries CSV.

Above: `all_tools`. Below: `query`, `source`.
"""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import Answered, CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool
from cetp_gateway.builtin.data.query import MAX_QUERY_CHARS, run_query
from cetp_gateway.builtin.data.source import MAX_TEXT_CHARS, PathAsked, ResultAsked, Sources
from cetp_gateway.builtin.declared import Asked, Declared


class CsvAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of which table."""

    query: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_QUERY_CHARS,
            description="SELECT of SQLite over the table data: SELECT month, sum(amount) FROM data GROUP BY month",
        ),
    ]
    text: Annotated[str, Meta(max_length=MAX_TEXT_CHARS, description="The CSV; its first line names the columns.")] = ""
    path: PathAsked = ""
    result: ResultAsked = ""
    delimiter: Annotated[str, Meta(max_length=1, description="Between columns; empty finds , ; tab or | itself.")] = ""
    limit: Annotated[int, Meta(ge=1, le=1000, description="Most rows to show.")] = 100


class QueryCsv(BuiltinTool[CsvAsked]):
    """Columns and rows as JSON."""

    declared = Declared(
        CsvAsked,
        name="query_csv",
        effect=Effect.READS,
        description="Filters, sorts, groups and sums CSV by an SQL SELECT: a text, a workspace file or a cut result.",
    )

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def run(self, asked: CsvAsked, context: CallContext) -> Answered:
        question = {"query": asked.query, "limit": asked.limit, "delimiter": asked.delimiter}
        source = await self._sources.read(context, text=asked.text, path=asked.path, result=asked.result)
        return await run_query("query_csv.py", question, source, context)
