"""The tool that queries CSV.

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
    path: Annotated[str, Meta(max_length=MAX_PATH_CHARS, description="File of the workspace, in place of text.")] = ""
    delimiter: Annotated[str, Meta(max_length=1, description="Between columns; empty finds , ; tab or | itself.")] = ""
    limit: Annotated[int, Meta(ge=1, le=1000, description="Most rows to show.")] = 100


class QueryCsv(BuiltinTool[CsvAsked]):
    """Columns and rows as JSON."""

    declared = Declared(
        CsvAsked,
        name="query_csv",
        effect=Effect.READS,
        description="Filters, sorts, groups and sums a CSV table by an SQL SELECT; a text or a file of the workspace.",
    )

    def __init__(self, space: FileSpace) -> None:
        self._space = space

    async def run(self, asked: CsvAsked, context: CallContext) -> str:
        question = {"query": asked.query, "limit": asked.limit, "delimiter": asked.delimiter}
        return await run_query(
            "query_csv.py", question, text=asked.text, path=asked.path, space=self._space, context=context
        )
