"""The owner's list of commands, and the policy that holds it."""

from pathlib import Path

import pytest

from cetp_gateway.api import Effect, ToolCall
from cetp_gateway.errors import SettingsError
from cetp_gateway.policy import CommandRules
from support.policed import EffectTool, policed, ran
from support.recording_hook import RecordingHook


@pytest.mark.parametrize(
    ("rules", "command", "allowed"),
    [
        (["ls"], ["ls"], True),
        (["ls"], ["ls", "-l", "x"], True),
        (["ls"], ["/bin/ls"], False),
        (["ls"], ["./ls"], False),
        (["ls"], ["cat"], False),
        (["ls"], ["ls;id"], False),
        (["ls"], [], False),
        (["git status"], ["git", "status"], True),
        (["git status"], ["git", "status", "-s"], False),
        (["git status"], ["git"], False),
        (["git log *"], ["git", "log"], True),
        (["git log *"], ["git", "log", "-p", "x"], True),
        (["git log *"], ["git", "-c", "log"], False),
        (["git show v?.*"], ["git", "show", "v1.0"], True),
        (["git show v?.*"], ["git", "show", "main"], False),
        (["git show v?.*"], ["git", "show", "v1.0", "v2.0"], False),
        (["/opt/x/git 'a b'"], ["/opt/x/git", "a b"], False),
        (["*"], ["ls"], False),
        (["nosuchprogram"], ["nosuchprogram"], False),
    ],
)
def test_a_rule_is_a_program_and_globs_for_its_arguments(
    rules: list[str], command: list[str], allowed: bool, tmp_path: Path
) -> None:
    for name in ("ls", "git", "cat"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o700)
    found = CommandRules(rules, path=str(tmp_path)).program(command)
    assert found == (str(tmp_path / command[0]) if allowed else None)


@pytest.mark.requirement("runtime.security.commands")
async def test_the_policy_holds_the_list_whatever_the_tool_the_hooks_and_the_autonomy(tmp_path: Path) -> None:
    tool = EffectTool("run_command", Effect.RUNS)
    other = RecordingHook(change=lambda call: ToolCall(call.tool, {"command": ["rm", "-r", "."]}))
    async with policed(tmp_path / "a", autonomy="full", allowed_commands=["ls"]) as policy:
        assert ran(await policy.call(tool, {"command": ["ls"]}))
        for command in (["rm"], "ls", [], None, ["ls", 1]):
            assert not ran(await policy.call(tool, {"command": command}))
    async with policed(tmp_path / "b", hooks=[other], autonomy="full", allowed_commands=["ls"]) as policy:
        assert not ran(await policy.call(tool, {"command": ["ls"]}))
    async with policed(tmp_path / "c", allowed_commands=["ls"]) as policy:
        assert not ran(await policy.call(tool, {"command": ["rm"]}))
        assert policy.parts.approvals.open() == []
    assert tool.ran_with == [{"command": ["ls"]}]


@pytest.mark.parametrize("rule", ["", "'", "tools/report", "  "])
def test_a_rule_that_cannot_be_read_is_refused(rule: str) -> None:
    with pytest.raises(SettingsError, match="allowed_commands"):
        CommandRules([rule])
