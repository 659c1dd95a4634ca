"""The sample's README, followed to the letter: the copied provider builds, and answers as a provider must."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cetp_spec.matching import mismatch
from cetp_spec.schemas import validator
from cetp_spec.validator import validate

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "provider-sample"
README = (SAMPLE / "README.md").read_text("utf-8")
CALLS: list[dict[str, Any]] = json.loads((SAMPLE / "src/test/resources/provider_calls.json").read_text("utf-8"))
PATIENCE_S = 900

pytestmark = [
    pytest.mark.timeout(PATIENCE_S + 60),
    pytest.mark.skipif(
        not all(map(shutil.which, ("mvn", "aapt2", "bash"))), reason="needs Maven and aapt2: make setup-android"
    ),
]


def run(words: list[str], folder: Path, **more: str) -> None:
    ended = subprocess.run(
        words,
        cwd=folder,
        env=os.environ | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, (ended.stdout + ended.stderr)[-8000:]


def copy_as_the_readme_says(app: Path) -> None:
    """Run its commands, but for those of the toolkit itself, and write its files where it says."""
    for path, content in re.findall(r"^`(src/[^`]+)`:\n\n```\w+\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        file = app / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    for commands in re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        if not commands.startswith("cetp "):
            run(["bash", "-euc", commands], app, SAMPLE=str(SAMPLE))


def host_build_for(root: Path) -> None:
    """The host build of this project, with the copied app in the place of the sample."""
    shutil.copytree(ROOT / "tests/android", root / "tests/android", ignore=shutil.ignore_patterns("target", "*.pyc"))
    (root / "cetp-spec").symlink_to(ROOT / "cetp-spec")
    pom = root / "tests/android/sample/pom.xml"
    pom.write_text(pom.read_text("utf-8").replace("com.example.notes", "com.example.shopping"), "utf-8")


@pytest.fixture(scope="module")
def shopping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the copied app, built and called; `replies/` holds what it answered."""
    root = tmp_path_factory.mktemp("join")
    app = root / "provider-sample"
    app.mkdir()
    copy_as_the_readme_says(app)
    host_build_for(root)
    words = ["mvn", "--batch-mode", "--quiet", "--no-transfer-progress", "--projects", "sample", "test"]
    settings = [f"-Dout={root / 'out'}", f"-Dpython={sys.executable}", f"-Dcetp.replies={app / 'replies'}"]
    run([*words, *settings], root / "tests/android", MAVEN_OPTS="-Xmx1g -XX:+UseSerialGC")
    yield app
    shutil.rmtree(root)


def reply_to(app: Path, description: str) -> dict[str, Any]:
    index = next(number for number, case in enumerate(CALLS) if case["description"] == description)
    reply: dict[str, Any] = json.loads((app / f"replies/{index:02}.json").read_text("utf-8"))
    return reply


@pytest.mark.requirement("cetp.1.low-bar")
def test_the_copy_is_at_most_four_files_and_names_nothing_of_the_sample(shopping: Path) -> None:
    files = list((shopping / "src/main/kotlin/com/example/shopping/cetp").iterdir())
    assert 1 <= len(files) <= 4
    assert not [file for file in files if re.search("notes", file.read_text("utf-8"), re.IGNORECASE)]


def test_the_copied_app_has_no_problems_for_the_validator(shopping: Path) -> None:
    assert validate(shopping, application_id="com.example.shopping") == []


def test_the_copied_app_answers_every_call_as_the_specification_says(shopping: Path) -> None:
    wrong = {
        case["description"]: mismatch(case["reply"], reply_to(shopping, case["description"]), {}) for case in CALLS
    }
    assert {what: why for what, why in wrong.items() if why} == {}


def test_replies_of_the_copied_app_fit_the_schemas_and_the_validator(shopping: Path) -> None:
    replies = [reply_to(shopping, case["description"]) for case in CALLS]
    assert [error.message for reply in replies for error in validator("reply").iter_errors(reply)] == []
    assert [found for reply in replies for found in validate(json.dumps(reply).encode(), "reply")] == []


def test_tools_and_facts_of_the_copied_app_fit_their_schemas(shopping: Path) -> None:
    tools = json.loads(reply_to(shopping, "list_tools answers data")["data"])
    facts = json.loads(reply_to(shopping, "get_provider_info answers data, or is not known")["data"])
    assert [tool["name"] for tool in tools["tools"]] == ["get_shopping_list"]
    assert not list(validator("list-tools-data").iter_errors(tools))
    assert not list(validator("provider-info").iter_errors(facts))
    assert validate(json.dumps(tools).encode(), "list-tools") == []
