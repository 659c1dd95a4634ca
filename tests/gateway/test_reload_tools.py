"""Tools that are there already when the owner's rules change: judged anew, whoever offers them."""

import asyncio

from cetp_gateway.api import Effect, ToolState
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.schema import ToolSettings
from cetp_gateway.tools import ToolRegistry
from support.tool_hosts import Builtin, Phone, a_registry, a_tool, names, tools

LIMITS = LimitSettings()
PARAMETERS = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


async def use(registry: ToolRegistry, **rules: object) -> None:
    registry.use(ToolSettings(**rules), LIMITS)  # type: ignore[arg-type]
    await registry.rejudge()


def writers(registry: ToolRegistry) -> Phone:
    phone = Phone("p", read_only=True)
    registry.offer(
        phone,
        [
            a_tool("notes__list"),
            a_tool("notes__delete", PARAMETERS, "Deletes a note for good."),
            a_tool("mail__post", PARAMETERS, "Posts.", effect=Effect.SENDS),
        ],
        replace=True,
    )
    return phone


async def test_a_held_tool_is_let_through_whole_and_held_again() -> None:
    registry = a_registry()
    writers(registry)
    assert names(registry.view()) == ["notes__list"]
    await use(registry, allow_writing=("notes__*", "mail__*"))
    specs = {spec.name: spec for spec in registry.view().specs()}
    assert {name: spec.effect for name, spec in specs.items()} == {
        "mail__post": Effect.SENDS,
        "notes__delete": Effect.WRITES,
        "notes__list": Effect.READS,
    }
    assert specs["notes__delete"].description == "Deletes a note for good."
    assert specs["notes__delete"].parameters["required"] == ["text"]
    await use(registry)
    assert names(registry.view()) == ["notes__list"]
    held = {row.name: row for row in registry.rows() if row.state is ToolState.QUARANTINED}
    assert "it says that it writes" in held["notes__delete"].reason
    assert "it declares that it sends" in held["mail__post"].reason


async def test_a_rule_that_changes_nothing_for_a_tool_leaves_it_as_it_was() -> None:
    registry = a_registry(allow_writing=["notes__*"])
    writers(registry)
    before = registry.view().find("notes__delete")
    await use(registry, allow_writing=("notes__delete",))
    assert registry.view().find("notes__delete") is before


async def test_the_revision_grows_and_views_that_turns_have_stay() -> None:
    registry = a_registry()
    registry.offer(Phone("p"), tools("a", "b"), replace=True)
    turn, revision = registry.view(), registry.revision
    await use(registry, denied=("b",))
    assert registry.revision > revision
    assert names(registry.view()) == ["a"]
    assert names(registry.view(everything=True)) == ["a"]
    assert names(turn) == ["a", "b"]
    assert turn.find("b") is not None


async def test_an_offer_that_is_under_way_is_judged_by_the_new_rules() -> None:
    registry = a_registry()
    phone = Phone("p", read_only=True)
    many = [a_tool(f"notes__delete_{number}", PARAMETERS) for number in range(1000)]
    offering = asyncio.create_task(registry.offer_in_slices(phone, many, replace=True))
    await asyncio.sleep(0)
    await use(registry, allow_writing=("notes__*",))
    await offering
    assert len(names(registry.view())) == 1000


def test_exchanged_built_in_tools_give_names_back_and_take_new_ones() -> None:
    registry = a_registry()
    registry.add(Builtin("clock"))
    registry.offer(Phone("p"), tools("clock", "calendar"), replace=True)
    (renamed,) = (name for name in names(registry.view()) if name not in {"calendar", "clock"})
    registry.replace_builtins([Builtin("calendar")])
    after = names(registry.view())
    assert "clock" in after
    assert renamed not in after
    assert registry.view().specs()[0].name == "calendar"
    assert registry.view().specs()[0].origin is None
    assert len(after) == 3


def test_held_tools_keep_no_more_than_a_device_may_offer() -> None:
    registry = a_registry(limits=LimitSettings(toolset_bytes=2048))
    schema = {"type": "object", "properties": {"text": {"type": "string", "description": "x" * 700}}}
    registry.offer(
        Phone("p", read_only=True), [a_tool(f"delete_{number}", schema) for number in range(9)], replace=True
    )
    kept = [row for row in registry.rows() if row.parameters]
    assert len(registry.rows()) == 9
    assert len(kept) == 2
