"""The fixed names are those of the founding document, in the contract and in everything made from it."""

import pytest

from cetp_spec import ErrorCode, contract, schemas


def test_discovery_uses_the_names_that_existing_apps_declare() -> None:
    assert contract()["discovery"] == {
        "intent_action": "com.clawseed.action.TOOL_PROVIDER",
        "meta_data": {"authority": "com.clawseed.tools.authority", "version": "com.clawseed.tools.version"},
        "permission": "com.clawseed.permission.ACCESS_TOOLS",
        "permission_protection_level": "normal",
        "init_order": 100,
    }


@pytest.mark.requirement("cetp.2.3.list-tools", "cetp.2.3.execute-tool", "cetp.2.3.provider-info")
def test_methods_and_their_extras_are_the_documents() -> None:
    methods = contract()["methods"]
    assert {name: method["extras"] for name, method in methods.items()} == {
        "list_tools": [],
        "execute_tool": ["tool_name", "args", "request_id"],
        "get_provider_info": [],
    }
    assert methods["execute_tool"]["optional"] == ["request_id"]
    assert methods["get_provider_info"]["optional_method"]


@pytest.mark.requirement("cetp.2.3.success", "cetp.2.3.error")
def test_reply_keys_and_statuses_are_the_documents() -> None:
    keys = ["status", "data", "error_code", "error_message", "resolution_hint", "authorize_intent"]
    assert contract()["reply_keys"] == {key: key for key in keys}
    assert contract()["status"] == {"success": "success", "error": "error"}
    assert list(schemas.load("reply")["properties"]) == keys
    assert schemas.load("reply")["properties"]["status"]["enum"] == ["success", "error"]


@pytest.mark.requirement(
    "cetp.2.4.auth-required",
    "cetp.2.4.permission-denied",
    "cetp.2.4.tool-not-found",
    "cetp.2.4.invalid-args",
    "cetp.2.4.rate-limited",
    "cetp.2.4.internal-error",
)
def test_the_six_error_codes_are_the_same_in_contract_code_and_schema() -> None:
    codes = ["AUTH_REQUIRED", "PERMISSION_DENIED", "TOOL_NOT_FOUND", "INVALID_ARGS", "RATE_LIMITED", "INTERNAL_ERROR"]
    assert list(contract()["error_codes"]) == codes
    assert list(ErrorCode) == codes
    assert schemas.load("reply")["properties"]["error_code"]["enum"] == codes


def test_the_discovery_schema_pins_the_contracts_names() -> None:
    properties = schemas.load("discovery-entry")["properties"]
    discovery = contract()["discovery"]
    assert properties["service"]["properties"]["action"]["const"] == discovery["intent_action"]
    assert properties["provider"]["properties"]["permission"]["const"] == discovery["permission"]


@pytest.mark.requirement("cetp.2.3.namespace", "cetp.3.1.prefix")
def test_public_names_are_bounded_as_model_vendors_want_them() -> None:
    names = contract()["names"]
    assert (names["separator"], names["max_length"], names["alphabet"]) == ("__", 64, "A-Za-z0-9_-")
    public_name = schemas.load("gateway-frame")["$defs"]["public-name"]
    assert public_name["maxLength"] == names["max_length"]
    assert public_name["not"]["pattern"] == f"[^{names['alphabet']}]"
