"""Hooks of third parties: found by entry point when the owner names them, told their options, behind the policy."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from cetp_gateway.agent import HookFactories
from cetp_gateway.assemble import assemble
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.schema import Settings
from support.agent_fakes import BOUND_S

MODULE = """
class Quiet:
    def __init__(self, words):
        self.name = f"quiet {words}"

    async def before_call(self, call, context):
        return call

    async def after_call(self, call, outcome, context):
        pass


class QuietFactory:
    name = "quiet"

    def create(self, settings):
        return Quiet(settings.hooks.options.get("quiet", {}).get("words", "without words"))


number = 7
"""
ENTRY_POINTS = """
[cetp_gateway.hooks]
quiet = {module}:QuietFactory
number = {module}:number
missing = {module}:missing
log = {module}:number
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with hooks, as pip leaves it."""
    module = f"quiet_hooks_{tmp_path.name}"
    (tmp_path / f"{module}.py").write_text(MODULE)
    info = tmp_path / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS.format(module=module))
    monkeypatch.syspath_prepend(str(tmp_path))


def settings(*names: str, **options: object) -> Settings:
    return msgspec.convert({"agent": {"hooks": names}, "hooks": {"options": {"quiet": options}}}, Settings)


@pytest.mark.requirement("runtime.abstractions.hook-config")
@pytest.mark.usefixtures("installed")
def test_a_hook_of_an_installed_package_is_made_when_the_owner_names_it() -> None:
    hooks = HookFactories.default().create(settings("quiet", "log", words="please"))
    assert [hook.name for hook in hooks] == ["quiet please", "log"]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "said"), [("number", "is no hook factory"), ("missing", "cannot be loaded"), ("quite", "'quiet'")]
)
def test_a_hook_that_cannot_be_made_is_refused_by_name(name: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        HookFactories.default().create(settings(name))


@pytest.mark.requirement("runtime.security.first-hook")
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("names", [(), ("log",), ("quiet", "log")])
async def test_whatever_hooks_are_configured_the_policy_stands_before_them(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    async with (
        asyncio.timeout(BOUND_S),
        assemble(settings(*names), data_folder=tmp_path / "data", config_file=tmp_path / "cetp.toml") as runtime,
    ):
        assert [hook.name.split()[0] for hook in runtime.hooks] == ["security", *names]
        assert runtime.hooks.guard is runtime.policy.guard
