"""`cetp validate` end to end: files in, lines and exit codes out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cetp_spec.validator import RULES, Kind
from support.axml import apk, compile_manifest
from support.manifests import consumer_app, provider, provider_app
from support.validating import run

DATA = Path(__file__).parent / "data" / "validate"
GOOD = [DATA / "notes", DATA / "list_tools.json", DATA / "reply.json", DATA / "provider_info.json"]
BROKEN = [DATA / "broken" / "AndroidManifest.xml", DATA / "broken" / "tools.json"]


def test_good_files_are_called_fine_with_what_they_are() -> None:
    result = run(*GOOD)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[-1] == "No problems in 4 files"
    assert [line.split("  fine  ")[1] for line in lines[:-1]] == [
        "provider, authority org.example.notes.clawseed.tools",
        "success reply, 2 tools",
        'error reply "AUTH_REQUIRED"',
        "provider info",
    ]


def test_broken_files_have_one_line_per_problem_and_a_closing_line() -> None:
    result = run(*BROKEN)
    assert result.exit_code == 1
    *lines, closing = result.output.splitlines()
    assert [line.split()[1:3] for line in lines] == [
        ["error", "manifest.permission.defined-by-provider"],
        ["error", "manifest.authority.unmatched"],
        ["error", "manifest.version.literal"],
        ["error", "tool.schema.ref-dangling"],
        ["warning", "tool.schema.type-list"],
        ["warning", "tool.writes"],
        ["error", "tool.description.missing"],
    ]
    assert closing == "5 errors, 2 warnings in 2 files"
    assert lines[1].startswith(f"{BROKEN[0]}:15 ")
    assert lines[3].split()[0].endswith("tools.json#/tools/0/parameters/properties/day/$ref")


def test_columns_are_aligned() -> None:
    *lines, _ = run(*BROKEN).output.splitlines()
    assert len({line.index(line.split()[2]) for line in lines if len(line.split()[0]) <= 72}) == 1


def test_each_line_says_section_and_cure() -> None:
    *lines, _ = run(*BROKEN).output.splitlines()
    for line in lines:
        rule = RULES[line.split()[2]]
        assert f"Spec {rule.section}. {rule.advice}" in line


def test_json_has_the_same_for_machines() -> None:
    result = run("--json", *BROKEN)
    report = json.loads(result.stdout)
    assert result.exit_code == report["exit_code"] == 1
    assert (report["errors"], report["warnings"]) == (5, 2)
    assert report["problems"][1] == {
        "file": str(BROKEN[0]),
        "line": 15,
        "pointer": None,
        "rule": "manifest.authority.unmatched",
        "severity": "error",
        "message": 'no <provider> of this app has the authority "org.example.weather"; '
        'there are "org.example.weather.tools"',
        "section": "3",
        "advice": RULES["manifest.authority.unmatched"].advice,
    }
    assert report["problems"][3]["pointer"] == "/tools/0/parameters/properties/day/$ref"
    assert [item["kind"] for item in report["checked"]] == ["manifest", "list-tools"]


def test_warnings_alone_end_with_0_and_with_strict_with_1(tmp_path: Path) -> None:
    path = tmp_path / "AndroidManifest.xml"
    path.write_text(provider_app(called=provider(order="")), encoding="utf-8")
    assert run(path).exit_code == 0
    assert run("--strict", path).exit_code == 1
    assert run("--strict", *GOOD).exit_code == 0


@pytest.mark.parametrize(
    ("content", "exit_code"),
    [("{", 2), ("<manifest>", 2), ("", 2), ('{"a": 1}', 2), ('{"status": "ok"}', 1), ("PNG", 2)],
)
def test_what_cannot_be_read_ends_with_2(content: str, exit_code: int, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text(content, encoding="utf-8")
    assert run(path).exit_code == exit_code


def test_a_missing_file_is_named_and_the_others_are_still_checked() -> None:
    result = run("absent.xml", *BROKEN)
    assert result.exit_code == 2
    assert "absent.xml" in result.output.splitlines()[0]
    assert "manifest.version.literal" in result.output


def test_standard_input_is_read_and_its_kind_found() -> None:
    result = run("-", stdin=(DATA / "broken" / "tools.json").read_bytes())
    assert result.exit_code == 1
    assert result.output.startswith("standard input#/tools/0/")


def test_an_apk_may_come_from_standard_input() -> None:
    result = run("-", stdin=apk(compile_manifest(provider_app())))
    assert result.output.startswith("standard input  fine  provider")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs pipes as files")
def test_a_pipe_given_as_a_file_is_read_once() -> None:
    reading, writing = os.pipe()
    os.write(writing, (DATA / "reply.json").read_bytes())
    os.close(writing)
    try:
        assert run(f"/dev/fd/{reading}").exit_code == 0
    finally:
        os.close(reading)


def test_a_kind_can_be_given() -> None:
    assert "info.structure" in run("--kind", "provider-info", DATA / "broken" / "tools.json").output
    assert set(Kind) == set(run("--help").output.split("--kind [")[1].split("]")[0].split("|"))


def test_the_application_id_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "AndroidManifest.xml"
    path.write_text(
        (DATA / "notes/app/src/main/AndroidManifest.xml").read_text().replace("@integer/cetp_version", "1"),
        encoding="utf-8",
    )
    assert "org.example.other.clawseed.tools" in run("--application-id", "org.example.other", path).output


def test_all_rules_can_be_printed() -> None:
    result = run("--rules")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()] == list(RULES)


def test_without_a_path_the_usage_is_shown() -> None:
    result = run()
    assert result.exit_code == 2
    assert "PATH" in result.output


def test_a_consumer_is_told_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "AndroidManifest.xml"
    path.write_text(consumer_app(), encoding="utf-8")
    assert "fine  consumer" in run(path).output


def test_the_command_costs_nothing_until_it_runs() -> None:
    script = (
        "import sys, cetp_gateway.cli.validate\n"
        "print(sorted(set(sys.modules) & {'lxml', 'jsonschema', 'jsonschema_rs', 'cetp_gateway.server', 'anthropic'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
