"""The naming rule holds for everything that a phone can bring, not only for the cases in the vectors."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_spec import CannotBeNamed, can_be_named, fit, fit_all, label_for, labels, public_names
from cetp_spec.data import contract

SILENT = contract()["names"]["silent_segments"]
LEGAL = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

nameable = st.text(min_size=1, max_size=80).filter(can_be_named)
# Few letters and segments, so that labels, prefixes and names meet often.
segments = st.one_of(
    st.sampled_from(["app", "Notes", "notes", "a", "b", "a_b", "a__b", "天气"]), st.text("ab_", max_size=4)
)
packages = st.lists(segments, min_size=1, max_size=4).map(".".join).filter(bool)
tools = st.one_of(st.text("ab_é", min_size=1, max_size=5), st.sampled_from(["a__a", "a__a__a", "é" * 70]), nameable)
phones = st.dictionaries(packages, st.lists(tools, max_size=6), max_size=6)


def shuffled(phone: dict[str, list[str]], seed: int) -> dict[str, Sequence[str]]:
    shuffle = random.Random(seed)
    order = shuffle.sample(sorted(phone), len(phone))
    return {package: shuffle.sample(phone[package], len(phone[package])) for package in order}


@given(phones)
@pytest.mark.requirement("cetp.2.3.namespace", "cetp.3.1.prefix")
def test_every_tool_of_every_phone_gets_a_legal_name_of_its_own(phone: dict[str, list[str]]) -> None:
    names = public_names(phone)
    assert set(names) == {(package, tool) for package, own in phone.items() for tool in own}
    assert all(1 <= len(name) <= 64 and set(name) <= LEGAL for name in names.values())
    assert len(set(names.values())) == len(names)


@given(phones, st.integers())
def test_names_do_not_depend_on_the_order_of_scanning(phone: dict[str, list[str]], seed: int) -> None:
    assert public_names(shuffled(phone, seed)) == public_names(phone)


@given(st.sets(packages, max_size=8))
def test_labels_are_lower_case_distinct_and_hold_no_separator(found: set[str]) -> None:
    given_labels = labels(found)
    assert len(set(given_labels.values())) == len(found)
    assert all(
        label == label.lower() and "__" not in label and label == label.strip("_") for label in given_labels.values()
    )
    assert not set(given_labels.values()) & set(SILENT)


@given(packages)
def test_a_package_alone_on_its_phone_has_its_plain_label(package: str) -> None:
    assert labels([package]) == {package: label_for(package)}


@given(nameable)
def test_a_fitted_name_is_legal_and_fits_ever_after(name: str) -> None:
    fitted = fit(name, "what it stands for")
    assert 1 <= len(fitted) <= 64
    assert set(fitted) <= LEGAL
    assert fit(fitted, "anything else") == fitted


@given(st.text("Aa0_-", min_size=1, max_size=64))
def test_a_legal_name_passes_unchanged(name: str) -> None:
    assert fit(name, "whatever") == name


def test_a_provider_that_takes_the_shortened_name_of_its_own_tool_gets_a_second_one() -> None:
    phone = {"com.example.notes": ["día"]}
    first = public_names(phone)["com.example.notes", "día"]
    taken = first.removeprefix("notes__")
    names = public_names({"com.example.notes": ["día", taken]})
    assert names["com.example.notes", taken] == first
    assert names["com.example.notes", "día"] == fit("notes__día", "com.example.notes\0día", attempt=2)


def test_a_package_that_imitates_the_label_of_another_cannot_take_it() -> None:
    pair = ["com.a.notes", "com.b.notes"]
    imitation = f"com.evil.{labels(pair)['com.a.notes']}"
    found = labels([*pair, imitation])
    assert len(set(found.values())) == 3
    assert found["com.a.notes"] == labels(pair)["com.a.notes"] + found["com.a.notes"][-4:]


@pytest.mark.parametrize("name", ["", "a\0b", "\ud83d", "x\udc00"])
def test_a_name_that_is_empty_or_no_text_is_refused_and_told_apart_before(name: str) -> None:
    assert not can_be_named(name)
    with pytest.raises(CannotBeNamed, match=r"tool .* cannot be named") as caught:
        public_names({"com.example.notes": [name]})
    assert caught.value.name == name
    with pytest.raises(CannotBeNamed):
        labels([name])
    with pytest.raises(CannotBeNamed):
        fit(name, "x")


def test_names_that_stand_for_one_thing_are_refused() -> None:
    with pytest.raises(ValueError, match="stand for the same thing"):
        fit_all({1: "é", 2: "è"}, {1: "same", 2: "same"})
