"""The tools that change the memory: remember and forget.

What a model stores counts as the person's words only when it rests on what they have written in this session; all else
is kept as a tool's, since nobody can tell what a model has from a page or an app. The memory itself lets nothing of the
latter become core, whatever category is asked for. Above: `all_tools`. Below: api.Memory.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import CORE, CallContext, Effect, Memory, MemoryAuthor, MemoryEntry, MemorySource
from cetp_gateway.builtin.builtin_parts import RestsOnWords
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.memory.rows import KEY, NAMESPACE


class StoreAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What shall be remembered."""

    key: Annotated[
        str,
        Meta(min_length=1, max_length=200, description="A short name, without /; an entry of this name is replaced."),
    ]
    content: Annotated[str, Meta(min_length=1, max_length=100_000, description="One fact, as a whole sentence.")]
    category: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=64,
            description="core for lasting facts that the person told you, daily for what matters for some weeks, "
            "conversation for this conversation's own, or a word of your own.",
        ),
    ] = CORE
    importance: Annotated[float, Meta(ge=0, le=1, description="0 to 1.")] = 0.5
    tools: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=64)], ...],
        Meta(max_length=7, description="Names of the tools whose answers this is taken from."),
    ] = ()


class MemoryStore(BuiltinTool[StoreAsked]):
    """Keeps an entry and says how."""

    declared = Declared(
        StoreAsked,
        name="memory_store",
        effect=Effect.WRITES,
        description=(
            "Remembers something beyond this conversation. What the person said themselves may be core; anything else "
            "is kept for some weeks."
        ),
    )

    def __init__(
        self, memory: Memory, rests_on_words: RestsOnWords, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._memory = memory
        self._rests_on_words = rests_on_words
        self._clock = clock

    async def run(self, asked: StoreAsked, context: CallContext) -> str:
        kept = await self._memory.store(
            MemoryEntry(
                key=asked.key,
                content=asked.content,
                category=asked.category,
                namespace=NAMESPACE,
                session_id=context.session_id,
                importance=asked.importance,
                created_at=self._clock(),
                source=await self._source(asked, context),
            )
        )
        return json_text({"key": kept.key, "category": kept.category, **_remark(asked, kept)})

    async def _source(self, asked: StoreAsked, context: CallContext) -> MemorySource:
        tools = " ".join(asked.tools)
        if not tools and context.session_id and await self._rests_on_words(asked.content, context.session_id):
            return MemorySource(author=MemoryAuthor.MODEL)
        return MemorySource(author=MemoryAuthor.TOOL, tool=tools)


class ForgetAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which entry."""

    key: Annotated[str, KEY]


class MemoryForget(BuiltinTool[ForgetAsked]):
    """Removes an entry for good."""

    declared = Declared(
        ForgetAsked,
        name="memory_forget",
        effect=Effect.WRITES,
        description="Forgets one remembered entry for good, by its key. It cannot be brought back.",
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def run(self, asked: ForgetAsked, context: CallContext) -> str:  # noqa: ARG002
        if not await self._memory.forget(asked.key, namespace=NAMESPACE):
            raise NotPossible(
                f"key: nothing is remembered under {asked.key!r}.", hint="memory_list shows what there is."
            )
        return json_text({"forgotten": asked.key})


def _remark(asked: StoreAsked, kept: MemoryEntry) -> dict[str, str]:
    if kept.key != asked.key:
        return {"note": "An entry that says the same was there already, under this key."}
    if kept.category != asked.category:
        return {"note": "Not kept as core: only what the person said in this conversation, or confirms, is."}
    return {}
