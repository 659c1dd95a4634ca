"""The registry: who offers what, who replaces whom, and who hears of it."""

import asyncio
import gc
import logging
from hashlib import sha256

import pytest

from cetp_gateway.api import (
    Answered,
    DeviceGone,
    Refused,
    ToolCounts,
    ToolState,
)
from cetp_gateway.settings.limits import LimitSettings
from support.tool_hosts import Builtin, Phone, a_context, a_registry, a_tool, found, names, tools, who_answers


def test_every_offered_tool_gets_a_verdict_in_order_and_a_bad_one_costs_no_other() -> None:
    registry = a_registry()

    answers = registry.offer(
        Phone("p"), [a_tool("a"), a_tool(""), a_tool("día"), a_tool("b", b"{}"), a_tool("c", b'"text"')], replace=True
    )

    assert [answer.state for answer in answers] == [
        ToolState.ACCEPTED,
        ToolState.QUARANTINED,
        ToolState.RENAMED,
        ToolState.REPAIRED,
        ToolState.QUARANTINED,
    ]
    assert [bool(answer.public_name) for answer in answers] == [True, False, True, True, False]
    assert all(answer.reason for answer in answers[1:])
    assert names(registry.view()) == sorted(answer.public_name for answer in answers if answer.public_name)


@pytest.mark.requirement("runtime.registry.replace")
def test_a_list_adds_to_what_was_offered_unless_it_replaces_the_whole() -> None:
    registry, phone = a_registry(), Phone("p")
    registry.offer(phone, tools("a", "b"), replace=False)

    registry.offer(phone, [a_tool("b", description="New."), a_tool("c")], replace=False)
    assert names(registry.view()) == ["a", "b", "c"]
    assert found(registry.view(), "b").spec.description == "New."

    registry.offer(phone, tools("d"), replace=True)
    assert names(registry.view()) == ["d"]


def test_of_two_tools_with_one_name_in_a_list_the_later_counts() -> None:
    registry = a_registry()

    first, second = registry.offer(
        Phone("p"), [a_tool("a", description="Old."), a_tool("a", description="New.")], replace=True
    )

    assert (first.state, second.state) == (ToolState.QUARANTINED, ToolState.ACCEPTED)
    assert "later tool" in first.reason
    assert [spec.description for spec in registry.view().specs()] == ["New."]


def test_an_empty_list_that_adds_removes_nothing() -> None:
    registry, phone = a_registry(), Phone("p")
    registry.offer(phone, tools("a"), replace=False)

    assert registry.offer(phone, [], replace=False) == []
    assert names(registry.view()) == ["a"]


def test_only_real_changes_raise_the_revision_and_are_told() -> None:
    registry, phone = a_registry(), Phone("p")
    heard: list[int] = []
    unsubscribe = registry.subscribe(heard.append)

    registry.offer(phone, tools("a", "b"), replace=False)
    registry.offer(phone, tools("a", "b"), replace=False)
    registry.offer(phone, tools("b", "a"), replace=True)
    registry.offer(phone, tools("a"), replace=False)
    assert heard == [registry.revision] == [1]

    registry.offer(phone, tools("a", "b", "c"), replace=False)
    registry.withdraw(phone, ["nothing"])
    registry.withdraw(phone, ["c"])
    assert heard == [1, 2, 3]

    unsubscribe()
    registry.withdraw(phone)
    assert (heard, registry.revision) == ([1, 2, 3], 4)


def test_registering_one_tool_after_the_other_with_growing_lists_ends_with_all_of_them() -> None:
    registry, phone = a_registry(), Phone("p", shared=False)
    wanted = [f"app__tool_{number:02}" for number in range(40)]

    for number in range(1, 41):
        answers = registry.offer(phone, tools(*wanted[:number]), replace=False)
        assert len(answers) == number

    assert names(registry.view(phone)) == wanted
    assert registry.counts(phone) == ToolCounts(usable=40, quarantined=0)


def test_a_listener_that_fails_does_not_keep_others_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    registry = a_registry()
    heard: list[int] = []

    def fail(revision: int) -> None:
        raise RuntimeError("no ears")

    registry.subscribe(fail)
    registry.subscribe(heard.append)
    registry.offer(Phone("p"), tools("a"), replace=True)

    assert heard == [1]
    assert "no ears" in caplog.text


async def test_the_newest_connection_of_a_device_wins_and_the_old_one_can_change_nothing() -> None:
    registry, old, new = a_registry(), Phone("phone-1"), Phone("phone-1")
    registry.offer(old, tools("x"), replace=True)
    registry.offer(new, tools("x", "y"), replace=True)

    late = registry.offer(old, tools("x"), replace=True)
    assert [answer.state for answer in late] == [ToolState.QUARANTINED]
    assert "newer connection" in late[0].reason
    assert registry.withdraw(old) == 0
    assert names(registry.view()) == ["x", "y"]
    new.calls.clear()
    await found(registry.view(), "x").execute({}, a_context())
    assert (old.calls, new.calls) == ([], [("x", {})])


def test_the_end_of_the_old_connection_between_connect_and_registration_of_the_new_one_harms_nothing() -> None:
    registry, old, new = a_registry(), Phone("phone-1"), Phone("phone-1")
    registry.offer(old, tools("x"), replace=True)

    assert registry.withdraw(old) == 1
    registry.offer(new, tools("x", "y"), replace=True)
    assert registry.withdraw(old) == 0
    assert names(registry.view()) == ["x", "y"]


def test_a_newer_connection_takes_over_at_once_even_when_it_offers_nothing() -> None:
    registry, old, new = a_registry(), Phone("phone-1"), Phone("phone-1")
    registry.offer(old, tools("x"), replace=True)

    registry.offer(new, [], replace=False)

    assert names(registry.view()) == []
    assert registry.offer(old, tools("x"), replace=True)[0].state is ToolState.QUARANTINED


def test_a_new_connection_does_not_inherit_the_tools_of_the_old_one() -> None:
    registry, old, new = a_registry(), Phone("phone-1"), Phone("phone-1")
    registry.offer(old, tools("x"), replace=False)

    registry.offer(new, tools("y"), replace=False)

    assert names(registry.view()) == ["y"]


def test_a_replaced_connection_is_forgotten_when_it_is_gone() -> None:
    registry = a_registry()
    registry.offer(Phone("phone-1"), tools("x"), replace=True)

    for _ in range(50):
        newest = Phone("phone-1")
        assert registry.offer(newest, tools("x"), replace=True)[0].state is ToolState.ACCEPTED
        gc.collect()


def test_withdrawing_says_how_many_went() -> None:
    registry, phone = a_registry(), Phone("p")
    registry.offer(phone, [*tools("a", "b", "c"), a_tool("bad", b"5")], replace=True)

    assert registry.withdraw(phone, ["a", "a", "bad", "unknown"]) == 2
    assert registry.withdraw(phone) == 2
    assert registry.withdraw(phone) == 0
    assert registry.rows() == []


async def test_a_call_reaches_the_device_by_its_own_wire_name() -> None:
    registry, phone = a_registry(), Phone("p")
    answer = registry.offer(phone, [a_tool("meter.read/now")], replace=True)[0]

    assert await who_answers(registry.view(), answer.public_name) == "p"
    assert phone.calls == [("meter.read/now", {})]


async def test_a_call_after_the_device_has_gone_says_so() -> None:
    registry, phone = a_registry(), Phone("p", "pixel")
    registry.offer(phone, tools("a"), replace=True)
    tool = found(registry.view(), "a")

    registry.withdraw(phone)

    assert await tool.execute({}, a_context()) == DeviceGone("pixel")


async def test_a_turn_that_saw_a_tool_reaches_the_device_after_its_reconnect() -> None:
    registry, old, new = a_registry(), Phone("phone-1"), Phone("phone-1")
    registry.offer(old, tools("a"), replace=True)
    tool = found(registry.view(), "a")

    registry.withdraw(old)
    registry.offer(new, tools("a"), replace=True)

    assert isinstance(await tool.execute({}, a_context()), Answered)
    assert new.calls


async def test_a_call_to_a_tool_that_was_removed_meanwhile_is_a_refusal() -> None:
    registry, phone = a_registry(), Phone("p")
    registry.offer(phone, tools("a", "b"), replace=True)
    tool = found(registry.view(), "a")

    registry.withdraw(phone, ["a"])

    outcome = await tool.execute({}, a_context())
    assert isinstance(outcome, Refused)
    assert outcome.code == "TOOL_NOT_FOUND"
    assert phone.calls == []


@pytest.mark.requirement("runtime.abstractions.registry", "runtime.remote.same")
async def test_a_built_in_tool_comes_first_and_checks_its_arguments() -> None:
    registry = a_registry()
    registry.add(Builtin("clock"))
    registry.offer(Phone("p"), tools("a"), replace=True)

    view = registry.view()
    assert names(view) == ["clock", "a"]
    clock = found(view, "clock")
    assert clock.read_arguments({"zone": "CET"}) == {"zone": "CET"}
    assert not isinstance(clock.read_arguments({"zone": 5}), dict)
    assert await clock.execute({"zone": "CET"}, a_context()) == Answered("noon in CET")


def test_a_built_in_tool_needs_a_legal_name_of_its_own() -> None:
    registry = a_registry()
    registry.add(Builtin("clock"))

    with pytest.raises(ValueError, match="'clock' is taken"):
        registry.add(Builtin("clock"))
    with pytest.raises(ValueError, match="no public name"):
        registry.add(Builtin("my clock"))


@pytest.mark.parametrize("first", ["device", "built-in"])
async def test_a_device_cannot_take_the_name_of_a_built_in_tool(first: str) -> None:
    registry, phone = a_registry(), Phone("p", shared=False)
    if first == "built-in":
        registry.add(Builtin("clock"))
    registry.offer(phone, tools("clock"), replace=True)
    if first == "device":
        registry.add(Builtin("clock"))

    view = registry.view(phone)
    assert names(view) == ["clock", "clock_" + sha256(b"clock").hexdigest()[:8]]
    assert await found(view, "clock").execute({}, a_context()) == Answered("noon in UTC")
    assert await who_answers(view, names(view)[1]) == "p"
    row = registry.rows(phone)[0]
    assert (row.state, row.wire_name) == (ToolState.RENAMED, "clock")
    assert "built-in" in row.reason


def test_tools_beyond_the_limit_of_a_device_are_quarantined_and_the_limit_is_named() -> None:
    registry = a_registry(limits=LimitSettings(tools_per_device=3))

    answers = registry.offer(Phone("p"), tools("a", "b", "c", "d", "e"), replace=True)

    assert [answer.state is ToolState.QUARANTINED for answer in answers] == [False, False, False, True, True]
    assert "limits.tools_per_device" in answers[3].reason
    assert registry.counts() == ToolCounts(usable=3, quarantined=2)


def test_a_flood_of_tools_is_answered_but_not_kept() -> None:
    registry = a_registry(limits=LimitSettings(tools_per_device=3))

    answers = registry.offer(Phone("p"), [a_tool(f"t{number}") for number in range(100)], replace=True)

    assert len(answers) == 100
    assert all("limits.tools_per_device" in answer.reason for answer in answers[3:])
    assert registry.counts() == ToolCounts(usable=3, quarantined=3)


def test_tools_that_are_too_large_together_are_quarantined() -> None:
    registry = a_registry(limits=LimitSettings(toolset_bytes=1024))

    answers = registry.offer(
        Phone("p"), [a_tool(f"t{number}", description="x" * 400) for number in range(4)], replace=True
    )

    assert [answer.state for answer in answers] == [ToolState.ACCEPTED] * 2 + [ToolState.QUARANTINED] * 2
    assert "limits.toolset_bytes" in answers[3].reason


def test_a_long_description_is_cut_and_told() -> None:
    registry = a_registry(limits=LimitSettings(description_chars=10))

    answer = registry.offer(Phone("p"), [a_tool("a", description="天气" * 10)], replace=True)[0]

    assert answer.state is ToolState.REPAIRED
    assert "limits.description_chars" in answer.reason
    assert found(registry.view(), "a").spec.description == "天气" * 5


@pytest.mark.requirement("runtime.registry.sources", "runtime.principles.explicit")
def test_rows_show_every_tool_with_its_state_source_and_reason() -> None:
    registry = a_registry(denied=("b",))
    registry.add(Builtin("clock"))
    phone = Phone("p", "pixel", shared=False)
    registry.offer(
        phone, [a_tool("a", app="org.example.a"), a_tool("b"), a_tool("c d"), a_tool("bad", b"7")], replace=True
    )

    rows = registry.rows()

    assert [(row.wire_name, row.enabled, row.source_type, row.state) for row in rows] == [
        ("clock", True, "builtin", ToolState.ACCEPTED),
        ("a", True, "remote", ToolState.ACCEPTED),
        ("b", False, "remote", ToolState.ACCEPTED),
        ("c d", True, "remote", ToolState.RENAMED),
        ("bad", False, "remote", ToolState.QUARANTINED),
    ]
    assert {(row.source, row.device) for row in rows[1:]} == {("socket of p", "pixel")}
    assert (rows[1].app, rows[1].parameters) == ("org.example.a", {"type": "object", "properties": {}})
    assert "tools.denied" in rows[2].reason
    assert rows[4].reason
    assert registry.rows(phone) == rows[1:]
    assert registry.rows(Phone("p")) == []
    assert list(registry.iter_rows()) == rows


def test_rows_of_several_devices_are_in_the_order_of_names() -> None:
    registry = a_registry()
    registry.offer(Phone("b"), [*tools("a", "d"), a_tool("bad", b"7")], replace=True)
    registry.offer(Phone("a"), tools("c", "b"), replace=True)

    assert [row.name for row in registry.rows()] == ["a", "b", "c", "d", "bad"]
    assert {row.name for row in registry.iter_rows()} == {"a", "b", "c", "d", "bad"}


def test_counts_need_no_rows() -> None:
    registry, phone = a_registry(), Phone("p")
    registry.add(Builtin("clock"))
    registry.offer(phone, [*tools("a", "b"), a_tool("bad", b"7")], replace=True)

    assert registry.counts() == ToolCounts(usable=3, quarantined=1)
    assert registry.counts(phone) == ToolCounts(usable=2, quarantined=1)
    assert registry.counts(Phone("p")) == ToolCounts()


@pytest.mark.requirement("runtime.registry.concurrent")
async def test_a_long_registration_lets_other_tasks_run_and_shows_only_its_end() -> None:
    registry, phone = a_registry(), Phone("p")
    registry.offer(phone, tools("old"), replace=True)
    many = [a_tool(f"t{number:04}", {"type": "object", "properties": {f"p{number}": {}}}) for number in range(1024)]
    offering = asyncio.create_task(registry.offer_in_slices(phone, many, replace=True))

    seen = []
    while not offering.done():
        await asyncio.sleep(0)
        seen.append(names(registry.view()))

    assert len(offering.result()) == 1024
    assert len(seen) > 2
    assert seen[0] == ["old"]
    assert all(len(view) in (1, 1024) for view in seen)
    assert len(names(registry.view())) == 1024


async def test_a_registration_that_is_overtaken_by_a_newer_connection_changes_nothing() -> None:
    registry, old, new = a_registry(), Phone("phone-1"), Phone("phone-1")
    registry.offer(old, tools("first"), replace=True)
    many = [a_tool(f"t{number:04}", {"type": "object", "properties": {f"p{number}": {}}}) for number in range(1024)]
    offering = asyncio.create_task(registry.offer_in_slices(old, many, replace=True))
    await asyncio.sleep(0)

    registry.offer(new, tools("x"), replace=True)
    answers = await offering

    assert {answer.state for answer in answers} == {ToolState.QUARANTINED}
    assert names(registry.view()) == ["x"]


async def test_a_registration_that_is_overtaken_by_the_end_of_its_device_changes_nothing() -> None:
    registry, phone = a_registry(), Phone("p")
    many = [a_tool(f"t{number:04}", {"type": "object", "properties": {f"p{number}": {}}}) for number in range(1024)]
    offering = asyncio.create_task(registry.offer_in_slices(phone, many, replace=True))
    await asyncio.sleep(0)
    assert not offering.done()

    assert registry.withdraw(phone) == 0
    answers = await offering

    assert {answer.state for answer in answers} == {ToolState.QUARANTINED}
    assert registry.rows() == []
    # It may still begin anew.
    registry.offer(phone, tools("a"), replace=True)
    assert names(registry.view()) == ["a"]


def test_equal_toolsets_of_many_devices_are_kept_once_and_go_one_by_one() -> None:
    registry = a_registry()
    phones = [Phone(f"p{number}", f"phone {number}") for number in range(20)]
    for phone in phones:
        registry.offer(phone, tools("a", "b"), replace=True)
    assert len(names(registry.view())) == 40

    for phone in phones[1:]:
        registry.withdraw(phone)

    assert names(registry.view()) == ["a", "b"]


def test_a_rule_that_matches_nothing_is_told_at_start_or_at_registration(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    registry = a_registry(denied=("Home_Notes__Wipe", "*__wip", "notes__wipe", "no way"))
    assert "'no way' can match no tool" in caplog.text

    registry.offer(Phone("p"), tools("home_notes__wipe", "notes__wipe"), replace=True)

    assert "'Home_Notes__Wipe' has matched no tool" in caplog.text
    assert "'*__wip' has matched no tool" in caplog.text
    assert "notes__wipe'" not in caplog.text
    assert len(registry.unmatched_rules()) == 3
