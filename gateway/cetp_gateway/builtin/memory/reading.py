"""The tools that look into the memory: by words, by key, the newest, and everything in pieces.

Above: `all_tools`. Below: api.Memory.
"""

from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect, Memory, MemoryFilter
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.memory.rows import CATEGORY, KEY, NAMESPACE, shown

PIECE_CHARS: Final = 16_000
"""Of an export in one answer; one entry may go beyond it."""
_PIECE_ENTRIES: Final = 50


class RecallAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for."""

    query: Annotated[str, Meta(min_length=1, max_length=2000, description="Words or a question, in any language.")]
    category: Annotated[str, CATEGORY] = ""
    limit: Annotated[int, Meta(ge=1, le=20, description="Entries wanted.")] = 5


class MemoryRecall(BuiltinTool[RecallAsked]):
    """The entries that fit best."""

    declared = Declared(
        RecallAsked,
        name="memory_recall",
        effect=Effect.READS,
        description="Searches what is remembered from earlier conversations, by words and meaning; the best first.",
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def run(self, asked: RecallAsked, context: CallContext) -> str:  # noqa: ARG002
        found = await self._memory.recall(asked.query, limit=asked.limit, namespace=NAMESPACE, category=asked.category)
        return json_text({"entries": [shown(entry) for entry in found]})


class GetAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which entry."""

    key: Annotated[str, KEY]


class MemoryGet(BuiltinTool[GetAsked]):
    """One entry, whole."""

    declared = Declared(
        GetAsked,
        name="memory_get",
        effect=Effect.READS,
        description="Gives one remembered entry in full, by its key.",
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def run(self, asked: GetAsked, context: CallContext) -> str:  # noqa: ARG002
        entry = await self._memory.get(asked.key, namespace=NAMESPACE)
        if entry is None:
            raise NotPossible(
                f"key: nothing is remembered under {asked.key!r}.", hint="memory_recall finds entries by their words."
            )
        return json_text(shown(entry, whole=True))


class ListAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which entries."""

    category: Annotated[str, CATEGORY] = ""
    this_session: Annotated[bool, Meta(description="Only entries of this conversation.")] = False
    limit: Annotated[int, Meta(ge=1, le=50, description="Entries wanted.")] = 20


class MemoryList(BuiltinTool[ListAsked]):
    """The newest entries."""

    declared = Declared(
        ListAsked,
        name="memory_list",
        effect=Effect.READS,
        description="Lists what is remembered, the newest first, and how many entries there are.",
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def run(self, asked: ListAsked, context: CallContext) -> str:
        session_id = context.session_id if asked.this_session else ""
        if asked.this_session and not session_id:
            raise NotPossible("this_session: this call belongs to no conversation.")
        found = await self._memory.list(
            category=asked.category, namespace=NAMESPACE, session_id=session_id, limit=asked.limit
        )
        count = await self._memory.count(namespace=NAMESPACE, category=asked.category)
        return json_text({"entries": [shown(entry) for entry in found], "count": count})


class ExportAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which entries, and where to go on."""

    category: Annotated[str, CATEGORY] = ""
    after: Annotated[int, Meta(ge=0, description="The `next` of the answer before; 0 begins.")] = 0


class MemoryExport(BuiltinTool[ExportAsked]):
    """Everything, piece by piece, as text: what becomes of it is another tool's business and another decision."""

    declared = Declared(
        ExportAsked,
        name="memory_export",
        effect=Effect.READS,
        description=(
            "Gives all remembered entries in full, the oldest first, a piece at a time: while the answer has `next`, "
            "call again with it as `after`. To look something up, memory_recall is better."
        ),
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def run(self, asked: ExportAsked, context: CallContext) -> str:  # noqa: ARG002
        wanted = MemoryFilter(namespace=NAMESPACE, category=asked.category)
        entries: list[str] = []
        after: int | None = asked.after
        while after is not None and len(entries) < _PIECE_ENTRIES and sum(map(len, entries)) < PIECE_CHARS:
            # One by one: only the end of a page can be gone on from.
            page = await self._memory.export(wanted, after=after, limit=1)
            entries.extend(json_text(shown(entry, whole=True)) for entry in page.entries)
            after = page.next
        tail = "" if after is None else f',"next":{after}'
        return f'{{"entries":[{",".join(entries)}]{tail}}}'
