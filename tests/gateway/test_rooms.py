"""The shape of the gateway: who may import whom, and what is not loaded before it is needed."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

import cetp_gateway
from cetp_gateway import api

ROOT = Path(cetp_gateway.__file__).parent


def imported(file: Path) -> set[str]:
    """Full names of the modules that a file imports, at its top or later."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def imports_of(room: str) -> set[str]:
    return {name for file in (ROOT / room).rglob("*.py") for name in imported(file)}


@pytest.mark.requirement("runtime.layers.api")
def test_the_api_imports_nothing_of_ours_but_errors() -> None:
    ours = {name for name in imports_of("api") if name.startswith("cetp_") and not name.startswith("cetp_gateway.api")}
    assert ours <= {"cetp_gateway.errors"}


@pytest.mark.requirement("runtime.layers.inward", "runtime.picture.one-way")
def test_imports_go_downwards_only() -> None:
    """The contracts stand in pyproject.toml; this runs the tool that `make check` runs."""
    linter = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run([linter], cwd=ROOT.parents[1], capture_output=True, text=True, timeout=50, check=False)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.requirement("runtime.abstractions.five")
def test_there_are_five_extension_points() -> None:
    points = (api.ModelProvider, api.Tool, api.ToolRegistry, api.Hook, api.Memory)
    assert all(Protocol in point.__mro__ for point in points)


@pytest.mark.requirement("runtime.scope.no-channels")
def test_the_agent_knows_no_channel() -> None:
    foreign = {
        name.partition(".")[0]
        for room in ("agent", "sessions", "tools")
        for name in imports_of(room)
        if name.partition(".")[0] in {"starlette", "uvicorn", "websockets", "httpx", "click", "rich", "anthropic"}
    }
    assert foreign == set()


@pytest.mark.parametrize(
    ("loaded", "left_out"),
    [
        ("cetp_gateway.server.serve", ["anthropic", "prometheus_client", "rich", "lxml", "jsonschema"]),
        ("cetp_gateway.cli.validate", ["uvicorn", "starlette", "anthropic", "cetp_gateway.server"]),
        ("cetp_gateway.cli", ["uvicorn", "starlette", "rich", "httpx"]),
    ],
)
def test_what_is_not_needed_is_not_loaded(loaded: str, left_out: list[str]) -> None:
    program = f"import sys, {loaded}; print(sorted(set({left_out!r}) & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=50, check=True)
    assert ended.stdout.strip() == "[]"
