"""Every rule of the validator, by the smallest input that breaks it; the table of rules and these cases are one."""

import re
from pathlib import Path

import pytest

from cetp_spec import data
from cetp_spec.validator import RULES, validate
from support.broken import CASES
from support.manifests import ACTION, AUTHORITY, PERMISSION, VERSION
from support.validating import rules_of, rules_of_value

WITHOUT_EXTRA = {"input.extra-missing"}
"""Shown where the extra can be taken away: in test_validate_apk."""


@pytest.mark.parametrize("rule", CASES)
def test_the_rule_is_raised_by_its_case(rule: str, tmp_path: Path) -> None:
    case = CASES[rule]
    if callable(case):
        found = case(tmp_path)
    else:
        found = rules_of(case) if isinstance(case, str | bytes) else rules_of_value(case)
    assert rule in found


def test_every_rule_has_a_case_and_every_case_a_rule() -> None:
    assert set(CASES) | WITHOUT_EXTRA == set(RULES)


def test_every_rule_that_the_code_names_is_in_the_table() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in Path(validate.__code__.co_filename).parent.rglob("*.py")
    )
    families = "|".join({rule.partition(".")[0] for rule in RULES})
    named = set(re.findall(rf'"((?:{families})\.[a-z-]+(?:\.[a-z-]+)*)"', source))
    assert named == set(RULES)


def test_every_rule_cites_a_section_that_exists_and_says_how_to_mend() -> None:
    headings = set(
        re.findall(r"^#{2,3} (\d+(?:\.\d+)?) ", (data.root() / "README.md").read_text("utf-8"), re.MULTILINE)
    )
    assert {rule.section for rule in RULES.values()} <= headings
    assert all(rule.advice.endswith(".") for rule in RULES.values())


def test_the_names_in_these_tests_are_those_of_the_contract() -> None:
    discovery = data.contract()["discovery"]
    assert discovery["intent_action"] == ACTION
    assert discovery["permission"] == PERMISSION
    assert discovery["meta_data"] == {"authority": AUTHORITY, "version": VERSION}
