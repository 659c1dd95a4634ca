"""A phone's tool used by a model that has no tool calls of its own: the whole way, from the socket to the phone."""

from pathlib import Path

import pytest

from cetp_gateway.phone import VirtualPhone
from support.fake_vendor import FakeVendor, stream
from support.phones import NOTES, shipped
from support.vendor_models import openai_model
from support.vendor_streams import openai_text
from support.whole import chat, send, until, whole

CALL = '◁{"name": "notes__list_notebooks", "arguments": {}}▷'


@pytest.mark.requirement("runtime.loop.text-dispatch", "runtime.loop.text-ends", "runtime.loop.results-back")
async def test_a_model_without_tool_calls_uses_a_phones_tool_and_the_person_sees_no_markup(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(
            stream(*openai_text("Let me look.\n", *CALL), every=3),
            stream(*openai_text("There are ", "notebooks.")),
        )
        model = openai_model(vendor, "ollama", tool_calls="text")
        async with whole(tmp_path, model) as running, VirtualPhone(running.url, packs=[shipped(NOTES)]) as phone:
            await phone.until_registered()
            async with chat(running) as socket:
                await send(socket, type="message", content="which notebooks are there?")
                frames = await until(socket, "done")

    shown = "".join(frame["content"] for frame in frames if frame["type"] == "chunk")
    assert shown == frames[-1]["full_response"] == "Let me look.There are notebooks."
    assert [frame["name"] for frame in frames if frame["type"] == "tool_call"] == ["notes__list_notebooks"]
    results = vendor.requests[1].body["messages"][-1]
    assert results["role"] == "user"
    assert '<tool_result name="notes__list_notebooks" status="ok">' in results["content"]
