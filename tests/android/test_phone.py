"""Two apps on one framework: the bridge's scanner and client reach the sample as its manifest has it."""

import json

import pytest

from support import android_phone
from support.android_phone import PhoneRefused

SAMPLE = {"package": "com.example.notes", "authority": "com.example.notes.clawseed.tools"}

pytestmark = [
    pytest.mark.skipif(not android_phone.READY, reason="`make android` was not run: there is no phone to start"),
    pytest.mark.timeout(240),
]


async def test_the_bridge_finds_the_sample_and_is_answered_by_it() -> None:
    async with android_phone.running() as phone:
        (found,) = await phone.do("services")
        assert (found["package"], found["app"], found["authority"]) == (SAMPLE["package"], "Notes", SAMPLE["authority"])
        assert found["permission"] == "com.clawseed.permission.ACCESS_TOOLS"

        listed = await phone.do("call", method="list_tools", **SAMPLE)
        assert {tool["name"] for tool in json.loads(listed["data"])["tools"]} == {"search_notes", "get_note"}

        extras = {"tool_name": "search_notes", "args": "{}"}
        refused = await phone.do("call", method="execute_tool", extras=extras, **SAMPLE)
        assert refused["error_code"] == "AUTH_REQUIRED"

        with pytest.raises(PhoneRefused, match="UNKNOWN_AUTHORITY"):
            await phone.do("call", method="list_tools", package="com.example.notes", authority="com.example.nobody")
