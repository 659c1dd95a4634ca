"""What a level lets an agent do: by table, by property, and for sessions and clients of their own."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cetp_gateway.api import Autonomy, Denied, Effect, Origin, ToolCall
from cetp_gateway.errors import SettingsError
from support.policed import PHONE, EffectTool, policed, ran
from support.recording_hook import RecordingHook

SERVER = Origin("github", server="github")


@pytest.mark.requirement("runtime.security.autonomy")
@pytest.mark.parametrize(
    ("effect", "origin", "read_only", "supervised", "full"),
    [
        (Effect.READS, None, True, True, True),
        (Effect.READS, PHONE, True, True, True),
        (Effect.WRITES, None, False, False, True),
        (Effect.WRITES, PHONE, False, False, True),
        (Effect.RUNS, None, False, False, True),
        (Effect.SENDS, PHONE, False, False, True),
        (Effect.UNKNOWN, None, False, False, True),
        (Effect.UNKNOWN, PHONE, False, True, True),
        (Effect.UNKNOWN, SERVER, False, False, True),
    ],
)
async def test_what_runs_without_a_person_depends_on_the_effect_and_the_level(
    effect: Effect, origin: Origin | None, *, read_only: bool, supervised: bool, full: bool, tmp_path: Path
) -> None:
    tool = EffectTool("tool", effect, origin)
    runs = {}
    for level in Autonomy:
        async with policed(tmp_path / level, autonomy=level, approval_timeout_s=0.01) as policy:
            runs[level] = ran(await policy.call(tool))

    assert runs == {Autonomy.READ_ONLY: read_only, Autonomy.SUPERVISED: supervised, Autonomy.FULL: full}


@pytest.mark.requirement("runtime.security.first-hook")
async def test_the_policy_judges_before_every_configured_hook(tmp_path: Path) -> None:
    hook = RecordingHook()
    async with policed(tmp_path, hooks=[hook], autonomy="read_only") as policy:
        outcome = await policy.call(EffectTool("write", Effect.WRITES))

    assert isinstance(outcome, Denied)
    assert (outcome.by, hook.asked) == ("security", [])
    assert [hook.name for hook in policy.pipeline] == ["security", "recording"]


async def test_a_hook_cannot_pass_a_call_off_as_one_that_reads(tmp_path: Path) -> None:
    tool = EffectTool("write", Effect.WRITES)
    harmless = msgspec.structs.replace(tool.spec, effect=Effect.READS)
    hook = RecordingHook(change=lambda call: ToolCall(harmless, call.arguments))
    async with policed(tmp_path, hooks=[hook], approval_timeout_s=0.01) as policy:
        assert not ran(await policy.call(tool))
    assert tool.ran_with == []


async def test_the_strictest_of_client_entrance_and_session_holds(tmp_path: Path) -> None:
    tool = EffectTool("write", Effect.WRITES)
    clients = ["webhook=read_only", "3f2a9c01=full", "rest=full"]
    async with policed(tmp_path, clients=clients, approval_timeout_s=0.01) as policy:
        assert ran(await policy.call(tool, client="3f2a9c01"))
        assert ran(await policy.call(tool, caller="rest", session=""))
        assert not ran(await policy.call(tool, caller="webhook", client="3f2a9c01"))
        assert not ran(await policy.call(tool, client="another"))

        await policy.database.write(
            lambda connection: connection.execute("INSERT INTO sessions VALUES ('quiet', '', '', '', '')")
        )
        await policy.parts.levels.set("quiet", Autonomy.READ_ONLY)
        assert not ran(await policy.call(tool, session="quiet", client="3f2a9c01"))

    async with policed(tmp_path, clients=clients) as policy:
        assert policy.parts.levels.of_session("quiet") is Autonomy.READ_ONLY
        await policy.parts.levels.set("quiet", None)
        assert ran(await policy.call(tool, session="quiet", client="3f2a9c01"))


async def test_a_session_that_is_deleted_takes_its_level_along(tmp_path: Path) -> None:
    async with policed(tmp_path) as policy:
        await policy.database.write(
            lambda connection: connection.execute("INSERT INTO sessions VALUES ('free', '', '', '', '')")
        )
        await policy.parts.levels.set("free", Autonomy.FULL)
        policy.parts.forget_session("free")
        await policy.database.write(lambda connection: connection.execute("DELETE FROM sessions"))
        assert policy.parts.levels.of_session("free") is None
    async with policed(tmp_path) as policy:
        assert policy.parts.levels.of_session("free") is None


async def test_a_rule_for_a_client_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"policy\.clients.*'rest=root'.*read_only"):
        async with policed(tmp_path, clients=["rest=root"]):
            pytest.fail("the policy was opened")


async def test_tools_of_clients_without_marks_are_asked_about_when_the_owner_wants_it(tmp_path: Path) -> None:
    tool = EffectTool("alarm", Effect.UNKNOWN, PHONE)
    async with policed(tmp_path, ask_unmarked=True, approval_timeout_s=0.01) as policy:
        assert not ran(await policy.call(tool))


@pytest.mark.parametrize("name", ["diary__read", "diary", "my_diary__search__pixel"])
async def test_a_rule_can_want_a_person_each_time_even_for_reading(name: str, tmp_path: Path) -> None:
    tool, other = EffectTool(name, Effect.READS), EffectTool("weather", Effect.READS)
    async with policed(tmp_path, always_ask=["*diary*"], autonomy="full", approval_timeout_s=0.01) as policy:
        assert not ran(await policy.call(tool))
        assert ran(await policy.call(other))


EFFECTS = st.sampled_from(Effect)
ORIGINS = st.sampled_from([None, PHONE, SERVER])
STEPS = st.lists(
    st.tuples(EFFECTS, ORIGINS, st.sampled_from(["agent", "rest", "webhook", "x"]), st.sampled_from(["", "s", "full"])),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, grants=st.lists(st.sampled_from(["once", "session", "always"]), max_size=3))
def test_no_sequence_of_calls_gets_a_write_through_read_only(
    steps: list[tuple[Effect, Origin | None, str, str]], grants: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    asyncio.run(_sequence(steps, grants, tmp_path_factory.mktemp("policy")))


async def _sequence(steps: list[tuple[Effect, Origin | None, str, str]], grants: list[str], folder: Path) -> None:
    tools = {(effect, origin): EffectTool("tool", effect, origin) for effect, origin, _, _ in steps}
    # Whatever was allowed before, while the level was another.
    async with policed(folder) as earlier:
        for scope, tool in zip(grants, tools.values(), strict=False):
            if tool.spec.effect not in (Effect.READS, Effect.UNKNOWN):
                await earlier.allowed(tool, scope=scope)
    before = {key: len(tool.ran_with) for key, tool in tools.items()}
    async with policed(folder, autonomy="read_only", clients=["full=full"]) as policy:
        for effect, origin, caller, session in steps:
            outcome = await policy.call(
                tools[effect, origin], caller=caller, session=session, arguments={"approved": True}
            )
            assert ran(outcome) == (effect is Effect.READS)
            assert policy.parts.approvals.open() == []
    for (effect, origin), tool in tools.items():
        assert effect is Effect.READS or len(tool.ran_with) == before[effect, origin]
