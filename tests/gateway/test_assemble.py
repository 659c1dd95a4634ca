"""A runtime from settings, and what an application can bring of its own."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from cetp_gateway.agent import TurnJob, run_turn
from cetp_gateway.api import (
    Answered,
    Arguments,
    CallContext,
    Effect,
    ModelProvider,
    Outcome,
    ToolSpec,
    ToolUse,
    TurnDone,
    TurnRecord,
    UserMessage,
)
from cetp_gateway.assemble import Parts, Runtime, assemble
from cetp_gateway.errors import SettingsError
from cetp_gateway.models import ModelFactories
from cetp_gateway.settings import Settings
from cetp_gateway.settings.model import ModelSettings
from cetp_gateway.testing import ScriptedModel, ScriptedStep


class Clock:
    """A built-in tool that is given what it depends on when it is made."""

    def __init__(self, hour: str) -> None:
        self._hour = hour
        self.spec = ToolSpec(
            name="clock",
            description="Tells the time.",
            parameters={"type": "object", "properties": {}},
            effect=Effect.READS,
        )

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        return Answered(self._hour)


def settings(**sections: dict[str, object]) -> Settings:
    return msgspec.convert(sections, Settings)


async def ask(runtime: Runtime, session_id: str = "s") -> TurnDone:
    closing = await runtime.conversations.ask(
        session_id, "what time is it?", view=runtime.registry.view, emit=lambda event: None
    )
    assert isinstance(closing, TurnDone)
    return closing


@pytest.mark.requirement("runtime.loop.assembly", "runtime.context.injection", "runtime.principles.explicit")
async def test_a_tool_that_an_application_brings_is_used_by_the_agent(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(calls=(ToolUse("c1", "clock", {}),)), ScriptedStep(text="It is noon.")])
    parts = Parts(tools=[Clock("12:00")], builtin=False)
    async with assemble(
        settings(), data_folder=tmp_path, config_file=tmp_path / "cetp.toml", model=model, parts=parts
    ) as runtime:
        assert (await ask(runtime)).text == "It is noon."
        assert [row.source_type for row in runtime.registry.rows()] == ["builtin"]
    assert "12:00" in str(model.requests[1].messages)


@pytest.mark.requirement("runtime.factory.custom", "runtime.factory.name", "runtime.abstractions.model")
async def test_a_registry_with_one_factory_of_ones_own_is_enough(tmp_path: Path) -> None:
    class House:
        name = "house"
        aliases = ("home",)

        def create(self, settings: ModelSettings, environment: Mapping[str, str]) -> ModelProvider:
            return ScriptedModel([ScriptedStep(text=f"{settings.name} at {settings.base_url}")])

    factories = ModelFactories()
    factories.register(House())
    chosen = settings(
        model={"provider": "home", "name": "tiny", "base_url": "http://house"}, sessions={"titles": False}
    )
    async with assemble(
        chosen, data_folder=tmp_path, config_file=tmp_path / "cetp.toml", parts=Parts(models=factories)
    ) as runtime:
        assert (await ask(runtime)).text == "tiny at http://house"


@pytest.mark.requirement("runtime.principles.declarative")
@pytest.mark.parametrize(
    "sections", [{"model": {"provider": "antropic"}}, {"agent": {"hooks": ["lgo"]}}], ids=["model", "hook"]
)
async def test_an_unknown_part_is_refused_with_the_nearest_known_one(
    tmp_path: Path, sections: dict[str, dict[str, object]]
) -> None:
    with pytest.raises(SettingsError, match="Did you mean"):
        async with assemble(settings(**sections), data_folder=tmp_path, config_file=tmp_path / "cetp.toml"):
            pytest.fail("it was assembled all the same")


@pytest.mark.requirement("runtime.registries.shared-parts", "runtime.history.own")
async def test_sessions_share_the_parts_and_not_their_history(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="one"), ScriptedStep(text="two")])
    chosen = settings(sessions={"titles": False})
    async with assemble(chosen, data_folder=tmp_path, config_file=tmp_path / "cetp.toml", model=model) as runtime:
        await ask(runtime, "first")
        await ask(runtime, "second")
    assert len(model.requests[1].messages) == 1


@pytest.mark.requirement("runtime.start.chat", "runtime.scope.assembled", "runtime.scope.three-things")
@pytest.mark.requirement("runtime.abstractions.tool")
async def test_the_agent_answers_without_a_gateway_straight_from_a_program(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(calls=(ToolUse("c1", "clock", {}),)), ScriptedStep(text="It is noon.")])
    record = TurnRecord()
    async with assemble(
        settings(), data_folder=tmp_path, config_file=tmp_path / "x.toml", model=model, parts=Parts(tools=[Clock("12")])
    ) as runtime:
        job = TurnJob(
            model=model,
            tools=runtime.registry.view(),
            system="Answer.",
            history=(),
            user=UserMessage("what time is it?"),
            session_id="s",
        )
        await run_turn(job, record, lambda event: None)
    assert record.text == "It is noon."


async def test_the_owners_texts_about_the_agent_are_in_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "personality").mkdir()
    (tmp_path / "personality" / "SOUL.md").write_text("You never use exclamation marks.")
    model = ScriptedModel([ScriptedStep(text="ok")])
    chosen = settings(agent={"instructions": "Call me Captain."}, sessions={"titles": False})
    async with assemble(chosen, data_folder=tmp_path, config_file=tmp_path / "cetp.toml", model=model) as runtime:
        await ask(runtime)
    assert "You never use exclamation marks." in model.requests[0].system
    assert "Call me Captain." in model.requests[0].system
