"""One app of the virtual phone answers as an Android provider does, and as the specification's schemas demand."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.phone import Provider, shipped_packs
from cetp_gateway.phone.arguments import ArgumentCheck
from cetp_spec.schemas import validator
from support.phones import ENERGY, NOTES, TODAY, pack, shipped, tool

PLACE = tool(
    "place",
    parameters={
        "type": "object",
        "properties": {
            "x": {"type": "integer", "maximum": 9},
            "a/b": {"type": "string"},
            "unit": {"type": "string", "default": "cm"},
        },
        "required": ["x"],
        "additionalProperties": False,
    },
    replies=[
        {"when": {"x": 0}, "error": {"code": "PERMISSION_DENIED", "message": "not at {x}", "hint": "try {today}"}},
        {"when": {"x": 1}, "text": "no JSON"},
        {"data": {"x": "{x}", "said": "{x} {unit} on {today}", "kept": "{other}"}},
    ],
)


async def execute(arguments: str, tool_name: str = "place") -> dict[str, str]:
    return await Provider(pack(PLACE), today=lambda: TODAY).execute_tool(tool_name, arguments)


def fits(kind: str, value: Any) -> bool:
    problems = [f"{error.json_path}: {error.message}" for error in validator(kind).iter_errors(value)]
    assert not problems
    return True


@pytest.mark.requirement("cetp.2.3.list-tools", "cetp.2.3.success")
@pytest.mark.parametrize("package", [NOTES, ENERGY])
async def test_list_tools_is_answered_with_the_tools_of_the_pack(package: str) -> None:
    bundle = await Provider(shipped(package)).call("list_tools", {})

    assert fits("reply", bundle)
    data = json.loads(bundle["data"])
    assert fits("list-tools-data", data)
    assert [entry["name"] for entry in data["tools"]] == [entry.name for entry in shipped(package).tools]


@pytest.mark.requirement("cetp.2.3.provider-info")
@pytest.mark.parametrize("package", [NOTES, ENERGY])
async def test_get_provider_info_is_answered_with_name_description_and_scopes(package: str) -> None:
    bundle = await Provider(shipped(package)).call("get_provider_info", {})

    assert fits("reply", bundle)
    info = json.loads(bundle["data"])
    assert fits("provider-info", info)
    assert info["scopes"]


@pytest.mark.requirement("cetp.2.5.new-methods", "cetp.2.4.tool-not-found")
@pytest.mark.parametrize("method", ["get_provider_info", "negotiate"])
async def test_a_method_that_the_app_lacks_is_answered_tool_not_found(method: str) -> None:
    bundle = await Provider(pack()).call(method, {})

    assert fits("reply", bundle)
    assert bundle["error_code"] == "TOOL_NOT_FOUND"


@pytest.mark.requirement("cetp.2.3.execute-tool", "cetp.2.3.result", "cetp.2.3.call")
async def test_execute_tool_takes_name_and_arguments_as_texts_and_gives_the_result_as_one() -> None:
    extras = {"tool_name": "place", "args": '{"x": 5}', "request_id": "7f1c1e2a-2f51-4d1b-9a53-0d3f3f1f9a10"}

    bundle = await Provider(pack(PLACE), today=lambda: TODAY).call("execute_tool", extras)

    assert fits("reply", bundle)
    assert json.loads(bundle["data"]) == {"x": 5, "said": "5 cm on 2026-03-11", "kept": "{other}"}


@pytest.mark.requirement("cetp.2.3.error", "cetp.2.4.permission-denied")
async def test_the_first_reply_that_fits_the_arguments_is_given() -> None:
    refused = await execute('{"x": 0}')

    assert fits("reply", refused)
    assert refused["error_code"] == "PERMISSION_DENIED"
    assert refused["error_message"] == "not at 0"
    assert refused["resolution_hint"] == "try 2026-03-11"
    assert await execute('{"x": 1}') == {"status": "success", "data": "no JSON"}


@pytest.mark.requirement("cetp.2.4.invalid-args")
@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ('{"x": 10}', "/x: "),
        ('{"x": 1, "a/b": 2}', "/a~1b: "),
        ("{}", '/: "x" is a required property'),
        ("[1]", "/: not a JSON object"),
        ("{", "/: not a JSON object"),
    ],
)
async def test_arguments_that_do_not_fit_are_refused_with_their_places(arguments: str, pointer: str) -> None:
    bundle = await execute(arguments)

    assert fits("reply", bundle)
    assert bundle["error_code"] == "INVALID_ARGS"
    assert pointer in bundle["error_message"]


async def test_no_arguments_at_all_are_an_empty_object() -> None:
    provider = Provider(pack(tool()))

    assert await provider.execute_tool("state", "") == await provider.execute_tool("state", "{}")


@pytest.mark.requirement("cetp.2.4.tool-not-found")
async def test_a_tool_that_the_app_lacks_is_answered_tool_not_found() -> None:
    assert (await execute("{}", "gone"))["error_code"] == "TOOL_NOT_FOUND"


@pytest.mark.requirement(
    "cetp.2.3.auth-required", "cetp.2.4.auth-required", "cetp.3.2.first-call", "cetp.3.2.own-policy"
)
async def test_an_app_answers_auth_required_with_a_way_out_until_its_user_has_authorised_it() -> None:
    provider = Provider(shipped(ENERGY))

    before = await provider.execute_tool("current_power", "{}")
    provider.authorised = True
    after = await provider.execute_tool("current_power", "{}")

    assert fits("reply", before)
    assert before["error_code"] == "AUTH_REQUIRED"
    assert before["resolution_hint"]
    assert before["authorize_intent"] == "com.example.energy.ACTION_AUTHORIZE_ASSISTANT"
    assert after["status"] == "success"


@pytest.mark.requirement("cetp.2.4.internal-error")
async def test_a_call_without_any_reply_in_the_pack_is_the_apps_failure() -> None:
    bundle = await Provider(pack(tool(replies=[]))).execute_tool("state", "{}")

    assert fits("reply", bundle)
    assert bundle["error_code"] == "INTERNAL_ERROR"


async def test_of_two_tools_with_one_name_the_first_answers() -> None:
    twins = pack(tool(replies=[{"text": "first"}]), tool(replies=[{"text": "second"}]))

    assert (await Provider(twins).execute_tool("state", "{}"))["data"] == "first"


@pytest.mark.requirement("cetp.1.no-idempotency")
async def test_a_slow_app_can_be_given_up_and_asked_again() -> None:
    provider = Provider(pack(tool("slow", delay_ms=600_000), tool("quick")))

    waiting = asyncio.create_task(provider.execute_tool("slow", "{}"))
    assert (await provider.execute_tool("quick", "{}"))["status"] == "success"
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (await provider.execute_tool("quick", "{}"))["status"] == "success"


@pytest.mark.parametrize(
    "schema",
    [
        "text",
        None,
        7,
        {},
        {"type": "objec"},
        {"properties": []},
        {"$ref": "#/$defs/gone"},
        {"$ref": "http://127.0.0.1:1/schema.json"},
        {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}},
    ],
)
def test_a_schema_that_is_none_checks_nothing_and_breaks_nothing(schema: Any) -> None:
    check = ArgumentCheck(schema)

    assert check.problems({"x": 1}) == []
    assert check.complete({"x": 1}) == {"x": 1}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@given(arguments=json_values)
@pytest.mark.parametrize("package", [NOTES, ENERGY])
async def test_every_reply_to_any_arguments_is_a_valid_bundle(package: str, arguments: Any) -> None:
    provider = Provider(shipped(package), authorised=True)
    for entry in shipped(package).tools:
        bundle = await provider.execute_tool(entry.name, json.dumps(arguments))
        assert fits("reply", bundle)
        if bundle["status"] == "success":
            json.loads(bundle["data"])


def test_the_shipped_packs_name_their_schema_so_that_editors_can_help() -> None:
    assert {each.schema_ for each in shipped_packs()} == {"../pack.schema.json"}
