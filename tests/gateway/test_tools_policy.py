"""The owner's rules: which tools are offered, and which may write."""

from typing import Any

import pytest

from cetp_gateway.api import Effect, Origin, ToolState, ToolVerdict
from support.tool_hosts import Phone, a_registry, a_tool, names, tools


def offered(*wires: str, **rules: Any) -> list[str]:
    """Which of these tools a session sees under these rules."""
    registry = a_registry(**rules)
    registry.offer(Phone("p", "pixel"), tools(*wires), replace=True)
    view = registry.view()
    assert all((view.find(wire) is not None) == (wire in names(view)) for wire in wires)
    assert names(view) == names(registry.view(everything=True))
    return names(view)


@pytest.mark.requirement("runtime.registry.filter")
@pytest.mark.parametrize(
    ("rule", "passed"),
    [
        ("*", ["get", "home__a__b", "home__get", "home_notes__get"]),
        ("**", ["get", "home__a__b", "home__get", "home_notes__get"]),
        ("home__*", ["home__get"]),
        ("home__**", ["home__a__b", "home__get"]),
        ("home*", []),
        ("home*__get", ["home__get", "home_notes__get"]),
        ("*__get", ["home__get", "home_notes__get"]),
        ("home__g?t", ["home__get"]),
        ("home??get", []),
        ("home__get", ["home__get"]),
        ("Home__get", []),
        ("get", ["get"]),
        ("home.notes__get", []),
        ("", []),
    ],
)
def test_a_rule_that_lets_through_stays_within_one_part_of_a_name(rule: str, passed: list[str]) -> None:
    assert offered("get", "home__get", "home__a__b", "home_notes__get", allowed=(rule,)) == passed


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        ("home__*", ["get", "home_notes__get"]),
        ("home*", ["get"]),
        ("*get", ["home__a__b"]),
        ("home__a", ["get", "home__a__b", "home__get", "home_notes__get"]),
        ("*", []),
    ],
)
def test_a_rule_that_forbids_goes_on_across_parts(rule: str, left: list[str]) -> None:
    assert offered("get", "home__get", "home__a__b", "home_notes__get", denied=(rule,)) == left


@pytest.mark.requirement("runtime.security.filter")
def test_what_is_denied_stays_denied_however_it_is_allowed() -> None:
    assert offered("a__get", "a__wipe", allowed=("a__*", "a__wipe"), denied=("a__wipe",)) == ["a__get"]


def test_without_any_rule_that_allows_nothing_is_offered() -> None:
    assert offered("a", allowed=()) == []


def test_rules_hold_when_a_second_device_makes_the_names_longer() -> None:
    registry = a_registry(allowed=("notes__search", "notes__wipe"), denied=("notes__wipe",))
    registry.offer(Phone("p", "pixel"), tools("notes__search", "notes__wipe", "notes__list"), replace=True)
    registry.offer(Phone("t", "tablet"), tools("notes__search", "notes__wipe", "notes__list"), replace=True)

    assert names(registry.view()) == ["notes__search__pixel", "notes__search__tablet"]


def test_a_rule_may_name_one_device() -> None:
    def seen(**rules: Any) -> list[str]:
        registry = a_registry(**rules)
        for label in ("pixel", "tablet"):
            registry.offer(Phone(label, label), tools("search"), replace=True)
        return names(registry.view())

    assert seen(allowed=("*__tablet",)) == ["search__tablet"]
    assert seen(denied=("*__tablet",)) == ["search__pixel"]


def test_a_device_is_denied_by_its_label_though_it_is_the_only_one_and_not_allowed_by_it() -> None:
    assert offered("search", denied=("search__pixel",)) == []
    assert offered("search", allowed=("search__pixel",)) == []


def test_a_forbidden_tool_is_nowhere_to_be_found_but_in_the_list_with_its_reason() -> None:
    registry = a_registry(denied=("a",))
    phone = Phone("p", shared=False)
    registry.offer(phone, tools("a", "b"), replace=True)

    for view in (registry.view(phone), registry.view(everything=True)):
        assert view.find("a") is None
        assert "a" not in view.nearest("a")
    rows = {row.name: row for row in registry.rows()}
    assert (rows["a"].enabled, rows["a"].state) == (False, ToolState.ACCEPTED)
    assert "tools.denied" in rows["a"].reason


def held(name: str, *, description: str = "", effect: Effect = Effect.UNKNOWN, **rules: Any) -> ToolVerdict:
    """The verdict on a tool of a device that promises to read only."""
    phone = Phone("p", read_only=True)
    return a_registry(**rules).offer(phone, [a_tool(name, description=description, effect=effect)], replace=True)[0]


@pytest.mark.requirement("cetp.2.3.read-only")
@pytest.mark.parametrize(
    "name",
    ["delete_note", "notes__delete_note", "notes__deleteNote", "notes__note_delete", "DeleteNote", "send-message",
     "createEvent", "update_contact", "notes__addItem", "pay", "set_alarm", "setAlarm", "SMSSend",
     "order_pizza", "notes.delete", "notes__clear", "post_message", "转发 send"],
)  # fmt: skip
def test_a_name_that_says_that_it_writes_is_held(name: str) -> None:
    answer = held(name)

    assert answer.state is ToolState.QUARANTINED
    assert "tools.allow_writing" in answer.reason


@pytest.mark.parametrize(
    "name",
    ["get_data", "search", "notes__list", "listOrders", "get_order_history", "order_history", "find_deleted_notes",
     "get_updates", "last_update", "call_log", "settings", "address_book", "get_post", "is_saved",
     "count_sent_messages", "weather", "天气", "update__list_items", "send__get_status", "check_update",
     "balance", "addresses", "setup_info"],
)  # fmt: skip
def test_a_name_that_only_holds_such_letters_is_not_held(name: str) -> None:
    assert held(name).state is not ToolState.QUARANTINED


@pytest.mark.parametrize(
    "description",
    ["Deletes a note.", "Delete a note", "Permanently erases all data", "This tool sends a message",
     "Use this to create an event", "Modifies the contact",
     "删除一条笔记", "用于发送短信", "将修改联系人", "  - Removes it"],
)  # fmt: skip
def test_a_description_that_begins_with_writing_is_held(description: str) -> None:
    assert held("notes__note", description=description).state is ToolState.QUARANTINED


@pytest.mark.parametrize(
    "description",
    ["Lists notes. Never deletes anything.", "Notes that were deleted", "Address of a contact", "更新时间查询",
     "查询已删除的笔记", "返回最近更新的笔记", "Open tasks of the user", "", "…"],
)  # fmt: skip
def test_a_description_that_reads_is_not_held(description: str) -> None:
    assert held("notes__note", description=description).state is ToolState.ACCEPTED


def test_a_name_that_reads_is_believed() -> None:
    assert held("get_note", description="Update: now with tags").state is ToolState.ACCEPTED


@pytest.mark.parametrize("effect", [Effect.WRITES, Effect.SENDS, Effect.RUNS])
def test_a_declared_effect_other_than_reading_is_held(effect: Effect) -> None:
    answer = held("get_note", effect=effect)

    assert answer.state is ToolState.QUARANTINED
    assert effect.value in answer.reason


@pytest.mark.parametrize(
    ("rule", "passes"),
    [("notes__delete", True), ("notes__*", True), ("*", True), ("*__del", False), ("other__*", False)],
)
def test_the_owner_may_let_a_writing_tool_through(rule: str, passes: bool) -> None:
    answer = held("notes__delete", allow_writing=(rule,))

    assert (answer.state is ToolState.ACCEPTED) == passes


def test_the_rule_that_the_reason_proposes_lets_the_tool_through() -> None:
    reason = held("notes.delete").reason
    rule = reason.partition(" in tools.allow_writing")[0].rpartition(" ")[2].strip("'")

    answer = held("notes.delete", allow_writing=(rule,))

    assert (answer.state, answer.public_name) == (ToolState.RENAMED, rule)


def test_only_devices_that_promise_to_read_are_held_to_it() -> None:
    registry = a_registry()

    answers = registry.offer(Phone("p"), [a_tool("delete_note"), a_tool("x", effect=Effect.SENDS)], replace=True)

    assert {answer.state for answer in answers} == {ToolState.ACCEPTED}


@pytest.mark.parametrize(
    ("read_only", "declared", "name", "seen"),
    [
        (True, Effect.READS, "get", Effect.READS),
        (True, Effect.UNKNOWN, "get", Effect.READS),
        (True, Effect.READS, "delete", Effect.WRITES),
        (True, Effect.SENDS, "get", Effect.SENDS),
        (False, Effect.READS, "get", Effect.UNKNOWN),
        (False, Effect.WRITES, "delete", Effect.WRITES),
    ],
)
def test_that_a_tool_only_reads_is_believed_only_where_it_is_promised(
    read_only: bool, declared: Effect, name: str, seen: Effect
) -> None:
    registry = a_registry(allow_writing=("*",))
    registry.offer(Phone("p", read_only=read_only), [a_tool(name, effect=declared)], replace=True)

    assert registry.view().specs()[0].effect is seen
    assert registry.rows()[0].effect is seen


def test_a_rule_is_unmatched_until_a_tool_comes_that_it_matches() -> None:
    registry = a_registry(denied=("notes__wipe",), allow_writing=("notes__*",), allowed=("*",))
    assert len(registry.unmatched_rules()) == 2

    registry.offer(Phone("p", read_only=True), tools("notes__wipe"), replace=True)

    assert registry.unmatched_rules() == ()


class Server(Phone):
    """A host that is an MCP server."""

    def __init__(self, server: str) -> None:
        super().__init__(f"mcp/{server}", server)
        self.server = server


@pytest.mark.requirement("runtime.registry.filter", "runtime.security.filter")
@pytest.mark.requirement("runtime.registry.mcp-filter")
def test_an_mcp_servers_tools_are_filtered_by_its_own_rules_and_no_others() -> None:
    registry = a_registry(mcp_tool_filters={"github": ("list_*", "get_issue")}, denied=("list_secrets",))
    registry.offer(Server("github"), tools("list_issues", "list_secrets", "get_issue", "get_it"), replace=True)
    registry.offer(Server("files"), tools("files__read"), replace=True)
    registry.offer(Phone("p", "github"), tools("phone__search"), replace=True)

    assert names(registry.view()) == ["files__read", "get_issue", "list_issues", "phone__search"]
    rows = {row.wire_name: row for row in registry.rows()}
    assert rows["get_it"].reason == "no rule in tools.mcp_tool_filters lets it through for github"
    assert (rows["get_issue"].source_type, rows["phone__search"].source_type) == ("mcp", "remote")
    assert registry.view().specs()[0].origin == Origin("files", server="files")
