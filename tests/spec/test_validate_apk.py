"""APKs, from bytes made by hand: the same rules as for source, and what only a built app shows."""

import sys
from pathlib import Path

import pytest

from cetp_spec.validator import RULES, validate
from support.axml import BOOLEAN, DECIMAL, REFERENCE, Resources, apk, compile_manifest, resource_table
from support.broken import CASES
from support.manifests import announced, provider, provider_app
from support.validating import only, rules_of

STRING, INTEGER, BOOL = 1, 2, 3
REFERENCES = {"@string/auth": 0x7F010000, "@integer/proto_2": 0x7F020003, "@bool/exp": 0x7F030000}
POINTING = provider_app(
    discovery=announced("@string/auth", "@integer/proto_2"),
    called=provider("@string/auth", 'android:exported="@bool/exp"'),
)
VALUES: list[Resources] = [
    (STRING, "", {0: (3, "org.example.notes.tools")}),
    (INTEGER, "", {3: (DECIMAL, 1)}),
    (BOOL, "", {0: (BOOLEAN, 0xFFFFFFFF)}),
]
SAME_IN_BOTH = [
    rule
    for rule, case in CASES.items()
    if isinstance(case, str) and case.startswith("<manifest ") and "@" not in case and "${" not in case
]


@pytest.mark.parametrize("rule", SAME_IN_BOTH)
def test_a_built_manifest_has_the_faults_of_its_source(rule: str) -> None:
    source = CASES[rule]
    assert rules_of(apk(compile_manifest(source))) == rules_of(source)


def test_most_manifest_rules_are_compared_that_way() -> None:
    assert len(SAME_IN_BOTH) > 30


@pytest.mark.parametrize("form", [{}, {"sparse": True}, {"short": True}, {"compact": True}, {"utf8": False}])
def test_pointers_are_followed_into_every_form_of_resource_table(form: dict[str, bool]) -> None:
    assert rules_of(apk(compile_manifest(POINTING, REFERENCES), resource_table(VALUES, **form))) == []


def test_a_pointer_to_a_pointer_is_followed() -> None:
    chained: list[Resources] = [
        (STRING, "", {0: (REFERENCE, 0x7F010001), 1: (3, "org.example.notes.tools")}),
        *VALUES[1:],
    ]
    assert rules_of(apk(compile_manifest(POINTING, REFERENCES), resource_table(chained))) == []


def test_pointers_that_loop_stay_unresolved() -> None:
    looping: list[Resources] = [(STRING, "", {0: (REFERENCE, 0x7F010000)}), *VALUES[1:]]
    found = rules_of(apk(compile_manifest(POINTING, REFERENCES), resource_table(looping)))
    assert set(found) == {"manifest.value.unresolved"}


def test_an_authority_that_changes_with_the_language_is_an_error() -> None:
    table = resource_table([*VALUES, (STRING, "de", {0: (3, "org.example.notes.werkzeuge")})])
    found = validate(apk(compile_manifest(POINTING, REFERENCES), table))
    assert {item.rule for item in found} == {"manifest.authority.varies"}
    assert "(de)" in found[0].message


def test_a_resource_in_a_split_is_unresolved_and_not_invalid() -> None:
    found = rules_of(apk(compile_manifest(POINTING, REFERENCES)))
    assert set(found) == {"manifest.value.unresolved", "manifest.exported.unknown"}


def test_a_float_version_is_shown_as_a_float_and_is_an_error() -> None:
    problem = only(apk(compile_manifest(provider_app(discovery=announced(version="1.0")))))
    assert problem.rule == "manifest.version.literal"
    assert '"1.0"' in problem.message
    assert "floating-point" in problem.message


def test_attributes_without_names_are_known_by_their_numbers() -> None:
    assert rules_of(apk(compile_manifest(provider_app(), nameless=True))) == []


def test_a_binary_manifest_taken_out_of_its_apk_can_be_read() -> None:
    assert rules_of(compile_manifest(provider_app())) == []


def test_places_carry_the_line_of_the_source() -> None:
    source = provider_app(called=provider(permission=""))
    line = source.splitlines().index(provider(permission="")) + 1
    (problem,) = validate(apk(compile_manifest(source)), name="app.apk")
    assert str(problem.place) == f"app.apk!AndroidManifest.xml:{line}"


def test_a_target_that_the_apk_does_not_give_counts_as_1() -> None:
    source = provider_app(called=provider(attributes=""), target=None)
    assert rules_of(apk(compile_manifest(source))) == ["manifest.provider.exported-implied"]


def test_a_missing_extra_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyaxmlparser.axmlparser", None)
    problem = only(apk(compile_manifest(provider_app())))
    assert problem.rule == "input.extra-missing"
    assert RULES[problem.rule].unreadable
    assert "pip install 'cetp-toolkit[apk]'" in problem.message


@pytest.mark.parametrize("cut", [40, 200, 1000, -8])
def test_a_truncated_manifest_is_a_problem_and_no_exception(cut: int) -> None:
    assert rules_of(apk(compile_manifest(provider_app())[:cut])) == ["apk.manifest"]


def test_a_zip_that_is_no_apk_is_told_so() -> None:
    assert "not an APK" in only(apk(b"").replace(b"AndroidManifest.xml", b"AndroidManifest.txt")).message


def test_a_broken_resource_table_leaves_values_unresolved(tmp_path: Path) -> None:
    path = tmp_path / "app.apk"
    for cut in (0, 10, 40, 300):
        path.write_bytes(apk(compile_manifest(POINTING, REFERENCES), resource_table(VALUES)[:cut]))
        assert {item.rule for item in validate(path)} <= {"manifest.value.unresolved", "manifest.exported.unknown"}
