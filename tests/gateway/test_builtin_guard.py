"""The path guard: what file tools may reach, whatever the path, and whatever changes while they look."""

import asyncio
import ctypes
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.api import Answered, Refused
from cetp_gateway.builtin.all_tools import all_tools
from cetp_gateway.builtin.builtin_parts import BuiltinParts
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import convert
from support.builtin_calls import Builtins

SECRET = "the secret of the house"


@pytest.fixture
def tools(tmp_path: Path) -> Builtins:
    """A workspace in a data folder, and a secret beside both."""
    (tmp_path / "secret").write_text(SECRET)
    made = Builtins(tmp_path / "data")
    made.workspace.mkdir(parents=True)
    (tmp_path / "data" / "cetp.db").write_text(SECRET)
    return made


@pytest.mark.requirement("runtime.security.paths")
@pytest.mark.parametrize(
    "path",
    [
        "../cetp.db",
        "../../secret",
        "sub/../../cetp.db",
        "./.././cetp.db",
        "/etc/passwd",
        "/root/.ssh/id_rsa",
        "/",
        "..",
    ],
)
async def test_no_path_leads_out_of_the_workspace(path: str, tools: Builtins) -> None:
    (tools.workspace / "sub").mkdir()
    assert "PERMISSION_DENIED" in await tools.refusal("read_file", path=path)
    assert "PERMISSION_DENIED" in await tools.refusal("write_file", path=path, content="x", mode="overwrite")
    assert "PERMISSION_DENIED" in await tools.refusal("list_files", path=path)


async def test_the_workspace_itself_may_be_named_in_full(tools: Builtins) -> None:
    await tools.said("write_file", path=f"{tools.workspace}/sub/a", content="x")
    assert await tools.said("read_file", path="sub/../sub/./a") == "[sub/a: 1 line]\nx"


@pytest.mark.parametrize(
    "target", ["../../secret", "../cetp.db", "/etc/passwd", "/proc/self/environ", "sub/../../cetp.db"]
)
async def test_links_do_not_lead_out(target: str, tools: Builtins) -> None:
    (tools.workspace / "sub").mkdir()
    (tools.workspace / "link").symlink_to(target)
    assert "PERMISSION_DENIED" in await tools.refusal("read_file", path="link")
    assert "PERMISSION_DENIED" in await tools.refusal("write_file", path="link", content="x", mode="overwrite")


async def test_links_within_the_workspace_are_followed(tools: Builtins) -> None:
    (tools.workspace / "real").mkdir()
    (tools.workspace / "real" / "a").write_text("x")
    (tools.workspace / "sub").mkdir()
    (tools.workspace / "sub" / "there").symlink_to("../real")
    (tools.workspace / "in_full").symlink_to(tools.workspace / "real" / "a")
    assert await tools.said("read_file", path="sub/there/a") == "[real/a: 1 line]\nx"
    assert await tools.said("read_file", path="in_full") == "[real/a: 1 line]\nx"
    assert await tools.said("read_file", path="sub/there/../real/a") == "[real/a: 1 line]\nx"


async def test_links_that_go_round_end(tools: Builtins) -> None:
    (tools.workspace / "a").symlink_to("b")
    (tools.workspace / "b").symlink_to("a")
    assert "links" in await tools.refusal("read_file", path="a")
    (tools.workspace / "round").mkdir()
    (tools.workspace / "round" / "again").symlink_to("..")
    assert "again" not in (await tools.said("find_files", glob="*")).replace("round/again", "")


async def test_links_are_not_entered_by_finding_and_searching(tools: Builtins, tmp_path: Path) -> None:
    (tools.workspace / "out").symlink_to(tmp_path)
    (tools.workspace / "file").symlink_to(tmp_path / "secret")
    assert await tools.said("search_files", text="secret") == "No line fits."
    assert (await tools.value("find_files", glob="*"))["paths"] == []


@pytest.fixture
def odd_files(tools: Builtins, tmp_path: Path) -> Iterator[list[str]]:
    """A hard link, a pipe, a socket and, where that is allowed, a device."""
    os.link(tmp_path / "secret", tools.workspace / "hard")
    os.mkfifo(tools.workspace / "pipe")
    with ExitStack() as stack:
        # A socket's path is short, so it is bound from within its folder.
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        folder = os.open(tools.workspace, os.O_RDONLY)
        stack.callback(os.close, folder)
        listener.bind(f"/proc/self/fd/{folder}/socket")
        names = ["hard", "pipe", "socket"]
        if os.geteuid() == 0:
            os.mknod(tools.workspace / "zero", 0o020666, os.makedev(1, 5))
            names.append("zero")
        yield names


async def test_only_plain_files_with_one_name_are_opened(odd_files: list[str], tools: Builtins, tmp_path: Path) -> None:
    for name in odd_files:
        assert "PERMISSION_DENIED" in await tools.refusal("read_file", path=name)
        assert "PERMISSION_DENIED" in await tools.refusal("write_file", path=name, content="x", mode="overwrite")
        assert "PERMISSION_DENIED" in await tools.refusal("write_file", path=name, content="x", mode="append")
    assert "[not searched" in await tools.said("search_files", text="secret")
    assert (tmp_path / "secret").read_text() == SECRET


@pytest.mark.requirement("runtime.security.paths")
@pytest.mark.parametrize(
    "path",
    [".ssh/id_ed25519", ".SSH/config", ".aws/credentials", "project/.env", ".env.local", ".git-credentials",
     ".config/gcloud/x", ".netrc", ".bash_history", "id_rsa", "cetp.toml", ".gnupg/x"],
)  # fmt: skip
async def test_sensitive_places_stay_closed_in_folders_that_the_owner_allows(path: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    tools = Builtins(tmp_path / "data", builtin={"allowed_folders": [str(home)]})
    (home / path).parent.mkdir(parents=True)
    (home / path).write_text(SECRET)
    (home / "plain").write_text("x")
    assert await tools.said("read_file", path=f"{home}/plain") == f"[{home}/plain: 1 line]\nx"
    assert "PERMISSION_DENIED" in await tools.refusal("read_file", path=f"{home}/{path}")
    assert "PERMISSION_DENIED" in await tools.refusal("write_file", path=f"{home}/{path}", content="", mode="overwrite")
    assert await tools.said("search_files", text="secret", path=str(home)) == "No line fits."
    (tmp_path / "data" / "workspace" / "harmless").symlink_to(home / path)
    assert "PERMISSION_DENIED" in await tools.refusal("read_file", path="harmless")


@pytest.mark.parametrize(
    "path", ["/etc/hostname", "/proc/self/environ", "/dev/null", "/sys/kernel/uevent_seqnum", "/etc"]
)
async def test_the_systems_places_stay_closed_when_everything_is_allowed(path: str, tmp_path: Path) -> None:
    tools = Builtins(tmp_path / "data", builtin={"allowed_folders": ["/"]})
    assert "PERMISSION_DENIED" in await tools.refusal("read_file", path=path)
    assert "PERMISSION_DENIED" in await tools.refusal("list_files", path=path)


async def test_the_gateways_own_folder_stays_closed_when_everything_is_allowed(tmp_path: Path) -> None:
    tools = Builtins(tmp_path / "data", builtin={"allowed_folders": ["/"]})
    tools.workspace.mkdir(parents=True)
    (tmp_path / "data" / "cetp.db").write_text(SECRET)
    (tools.workspace / "a").write_text("x")
    assert "own folder" in await tools.refusal("read_file", path=f"{tmp_path}/data/cetp.db")
    assert "own folder" in await tools.refusal("list_files", path=f"{tmp_path}/data/./")
    assert "PERMISSION_DENIED" in await tools.refusal("list_files", path=f"{tmp_path}/data/workspace/../")
    assert "1 line" in await tools.said("read_file", path=f"{tmp_path}/data/workspace/a")


async def test_what_git_would_run_is_not_written(tools: Builtins) -> None:
    (tools.workspace / ".git").mkdir()
    (tools.workspace / ".git" / "HEAD").write_text("ref: main")
    assert "ref: main" in await tools.said("read_file", path=".git/HEAD")
    assert "PERMISSION_DENIED" in await tools.refusal("write_file", path=".git/hooks/pre-commit", content="x")
    assert not (tools.workspace / ".git" / "hooks").exists()


async def test_an_allowed_folder_has_to_be_absolute(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="allowed_folders"):
        all_tools(convert({"builtin": {"allowed_folders": ["here"]}}), BuiltinParts(data_folder=tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="exchanges two names at once")
async def test_a_folder_that_turns_into_a_link_under_way_leads_nowhere(tools: Builtins, tmp_path: Path) -> None:
    outside, folder, link = tmp_path / "outside", tools.workspace / "sub", tools.workspace / "link"
    outside.mkdir()
    (outside / "a").write_text(SECRET)
    folder.mkdir()
    (folder / "a").write_text("x")
    link.symlink_to(outside)
    with exchanging(folder, link):
        outcomes = [await tools.outcome("read_file", path="sub/a") for _ in range(500)]
        for _ in range(200):
            await tools.outcome("write_file", path="sub/b", content="x", mode="overwrite")
            await tools.outcome("list_files", path="sub")
    assert {outcome.output for outcome in outcomes if isinstance(outcome, Answered)} == {"[sub/a: 1 line]\nx"}
    assert any(isinstance(outcome, Refused) for outcome in outcomes)
    assert [file.name for file in outside.iterdir()] == ["a"]


@contextmanager
def exchanging(one: Path, other: Path) -> Iterator[None]:
    """Let two names change places all the time."""
    ended = threading.Event()
    rename = ctypes.CDLL(None).renameat2

    def exchange() -> None:
        while not ended.is_set():
            rename(-100, bytes(one), -100, bytes(other), 2)

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(10)


NAMES = st.sampled_from(
    ["..", ".", "", "sub", "up", "out", "round", "a", "secret", "/", "~", "workspace", "data", "\0"]
)
ODD = st.text(st.characters(codec="utf-8"), max_size=8)
PATHS = st.lists(st.one_of(NAMES, ODD), max_size=8).map("/".join)
TARGETS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)


@settings(max_examples=150, deadline=None)
@given(path=PATHS, absolute=st.booleans(), links=st.lists(st.tuples(NAMES, TARGETS), max_size=4), allow=st.booleans())
def test_no_path_and_no_link_ever_gets_out(
    path: str, absolute: bool, links: list[tuple[str, str]], allow: bool
) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "secret").write_text(SECRET)
        sections = {"builtin": {"allowed_folders": [str(folder / "data")]}} if allow else {}
        tools = Builtins(folder / "data", **sections)
        (tools.workspace / "sub").mkdir(parents=True)
        (folder / "data" / "secret").write_text(SECRET)
        for name, target in links:
            if name.strip("/.\0") and target and "\0" not in target and not (tools.workspace / name).exists():
                (tools.workspace / name).unlink(missing_ok=True)
                (tools.workspace / name).symlink_to(target.replace("//", "/"))
        asyncio.run(_try_everything(tools, f"{tools.workspace}/{path}" if absolute else path or "."))
        assert (folder / "secret").read_text() == SECRET
        assert (folder / "data" / "secret").read_text() == SECRET
        assert {each.name for each in folder.iterdir()} == {"secret", "data"}
        assert {each.name for each in (folder / "data").iterdir()} == {"secret", "workspace"}


async def _try_everything(tools: Builtins, path: str) -> None:
    for name, more in (
        ("write_file", {"content": "x", "mode": "overwrite"}),
        ("write_file", {"content": "x", "mode": "append"}),
        ("edit_file", {"old": "the", "new": "x", "every": True}),
        ("read_file", {}),
        ("list_files", {}),
        ("search_files", {"text": "secret of"}),
    ):
        outcome = await tools.outcome(name, path=path, **more)
        assert not (isinstance(outcome, Answered) and SECRET in outcome.output), (name, path)
        assert "INTERNAL_ERROR" not in str(outcome), (name, path, outcome)
