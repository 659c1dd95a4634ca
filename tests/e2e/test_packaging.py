"""The built wheel, installed into an empty environment away from the checkout, works by itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cetp_gateway import __version__

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.timeout(400)


def run(*words: str | Path, folder: Path, within_s: float = 300) -> str:
    """Run a program with an environment of its own; its output, or a failure that shows it."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("CETP_", "PYTHON"))}
    environment |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    ended = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("away")


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def binaries(folder: Path, wheel: Path) -> Path:
    """The programs of an environment that holds the wheel and what it asks for, nothing else."""
    environment = folder / "environment"
    run(sys.executable, "-m", "venv", environment, folder=folder)
    pip = (environment / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "install", "--constraint", ROOT / "constraints.txt", wheel, folder=folder)
    return environment / "bin"


def test_the_wheel_says_its_version(binaries: Path, folder: Path) -> None:
    assert __version__ in run(binaries / "cetp", "--version", folder=folder)


def test_schemas_vectors_packs_and_typing_markers_are_inside(binaries: Path, folder: Path) -> None:
    program = """
import cetp_gateway, cetp_spec
from pathlib import Path
from cetp_gateway.phone import shipped_packs
from cetp_spec import contract, schemas, vectors
assert "site-packages" in cetp_spec.__file__ and "site-packages" in cetp_gateway.__file__
assert all((Path(package.__file__).parent / "py.typed").exists() for package in (cetp_spec, cetp_gateway))
assert all(schemas.load(kind) for kind in schemas.KINDS)
assert len(list(vectors.vectors())) > 20 and list(vectors.conversations())
assert [pack.package for pack in shipped_packs()] == ["com.example.energy", "com.example.notes"]
"""
    run(binaries / "python", "-c", program, folder=folder)


def test_the_demo_runs_from_the_wheel(binaries: Path, folder: Path) -> None:
    told = run(binaries / "cetp", "demo", folder=folder, within_s=60)
    assert "notes__search_notes" in told
    assert "AUTH_REQUIRED" in told


def test_an_app_author_can_validate_from_the_wheel(binaries: Path, folder: Path) -> None:
    reply = folder / "reply.json"
    reply.write_text('{"status": "success", "data": "{\\"notes\\": []}"}')
    run(binaries / "cetp", "validate", reply, folder=folder)


def test_changelog_and_version_agree() -> None:
    """Until the first release everything stands under Unreleased."""
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
