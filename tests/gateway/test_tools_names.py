"""Public names: legal, one for each tool, the same in any order of arrival, and what each session sees by them."""

import itertools
import re
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.api import ToolState
from cetp_gateway.tools import ToolRegistry
from support.tool_hosts import Builtin, Phone, a_registry, a_tool, found, names, tools, who_answers

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")


@pytest.mark.parametrize("name", ["a", "search_2", "Notes-Search", "notes__search", "x" * 64])
def test_a_legal_name_stays_as_it_is(name: str) -> None:
    answer = a_registry().offer(Phone("p"), tools(name), replace=True)[0]

    assert (answer.public_name, answer.state) == (name, ToolState.ACCEPTED)


@pytest.mark.parametrize(
    "name", ["meter.read/now", "día", "天气", "x" * 65, " ", "a\nb", "EnergyMeterHomeAutomationDashboard__" + "r" * 36]
)
def test_an_illegal_name_gets_a_legal_one_with_a_hash_of_itself(name: str) -> None:
    answer = a_registry().offer(Phone("p"), tools(name), replace=True)[0]

    assert LEGAL.fullmatch(answer.public_name)
    assert answer.public_name.endswith("_" + sha256(name.encode()).hexdigest()[:8])
    assert (answer.wire_name, answer.state) == (name, ToolState.RENAMED)


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "x" * 257])
def test_a_name_that_nothing_can_stand_for_is_quarantined(name: str) -> None:
    registry = a_registry()

    answer = registry.offer(Phone("p"), tools(name), replace=True)[0]

    assert (answer.public_name, answer.state) == ("", ToolState.QUARANTINED)
    assert "name" in answer.reason
    assert registry.rows()[0].reason == answer.reason


def test_a_name_made_legal_avoids_a_tool_that_has_that_very_name() -> None:
    taken = "d_a_" + sha256("día".encode()).hexdigest()[:8]
    registry = a_registry()

    odd, plain = registry.offer(Phone("p"), tools("día", taken), replace=True)

    assert plain.public_name == taken
    assert odd.public_name != taken
    assert LEGAL.fullmatch(odd.public_name)


async def test_a_name_that_only_one_device_has_is_bare_and_equal_ones_carry_their_devices() -> None:
    registry, pixel, tablet = a_registry(), Phone("p", "Pixel 8"), Phone("t", "Anna's tablet")
    registry.offer(pixel, tools("search", "only"), replace=True)
    assert names(registry.view()) == ["only", "search"]

    answer = registry.offer(tablet, tools("search"), replace=True)[0]

    assert (answer.public_name, answer.state) == ("search__anna-s-tablet", ToolState.RENAMED)
    view = registry.view()
    assert names(view) == ["only", "search__anna-s-tablet", "search__pixel-8"]
    assert await who_answers(view, "search__pixel-8") == "p"
    assert await who_answers(view, "search__anna-s-tablet") == "t"
    assert pixel.calls == [("search", {})]

    registry.withdraw(tablet)
    assert names(registry.view()) == ["only", "search"]


def test_an_ambiguous_name_means_nothing_and_the_names_it_may_stand_for_are_told() -> None:
    registry = a_registry()
    registry.offer(Phone("p", "pixel"), tools("search"), replace=True)
    registry.offer(Phone("t", "tablet"), tools("search"), replace=True)

    for view in (registry.view(), registry.view(everything=True)):
        assert view.find("search") is None
        assert view.nearest("search") == ("search__pixel", "search__tablet")


def test_devices_with_equal_labels_are_told_apart_by_their_ids() -> None:
    registry = a_registry()
    for host_id in ("one", "two", "three"):
        registry.offer(Phone(host_id, "pixel"), tools("search"), replace=True)

    digits = {sha256(host_id.encode()).hexdigest()[:4] for host_id in ("one", "two", "three")}
    assert names(registry.view()) == sorted(f"search__pixel_{four}" for four in digits)


def test_labels_that_hold_no_letters_are_told_apart_as_well() -> None:
    registry = a_registry()
    registry.offer(Phone("one", "手机"), tools("search"), replace=True)
    registry.offer(Phone("two", "平板"), tools("search"), replace=True)

    assert len(names(registry.view())) == 2
    assert all(name.startswith("search__device_") for name in names(registry.view()))


def test_names_too_long_for_their_device_are_cut_with_a_hash_and_still_lead_back() -> None:
    registry = a_registry()
    long_names = ("n" * 64, "n" * 60 + "abcd", "n" * 60)
    for host_id in ("one", "two"):
        registry.offer(Phone(host_id, host_id), tools(*long_names), replace=True)

    view = registry.view()
    assert len(names(view)) == 6
    assert all(LEGAL.fullmatch(name) for name in names(view))
    for everything in (False, True):
        view = registry.view(everything=everything)
        assert {found(view, name).spec.name for name in names(view)} == set(names(view))


async def test_a_tool_named_like_anothers_qualified_name_takes_it_from_nobody() -> None:
    registry, imitator = a_registry(), Phone("i", "imitator")
    registry.offer(Phone("p", "pixel"), tools("get"), replace=True)
    registry.offer(Phone("t", "tablet"), tools("get"), replace=True)
    registry.offer(imitator, tools("get__pixel"), replace=True)
    hashed = next(name for name in names(registry.view()) if name.startswith("get__pixel_"))

    registry.offer(imitator, tools("get__pixel", hashed), replace=True)

    view = registry.view()
    assert len(set(names(view))) == 4
    assert await who_answers(view, hashed) == "p"
    assert await who_answers(view, "get__tablet") == "t"
    assert await who_answers(view, "get__pixel") == "i"


def test_a_tool_has_one_name_at_a_time() -> None:
    registry = a_registry()
    registry.offer(Phone("p", "pixel"), tools("get", "n" * 64), replace=True)
    registry.offer(Phone("t", "tablet"), tools("n" * 64), replace=True)
    hashed = next(name for name in names(registry.view()) if "__pixel_" in name)
    everything = registry.view(everything=True)
    assert everything.find(hashed) is not None
    assert everything.find("get__pixel") is None

    registry.withdraw(Phone("t"))
    registry.offer(Phone("t", "tablet"), tools("other"), replace=True)

    assert registry.view(everything=True).find(hashed) is None
    assert registry.view(everything=True).find("n" * 64) is not None


def test_a_qualified_name_never_takes_the_name_of_a_built_in_tool() -> None:
    registry = a_registry()
    registry.add(Builtin("get__pixel"))
    registry.offer(Phone("p", "pixel"), tools("get"), replace=True)
    registry.offer(Phone("t", "tablet"), tools("get"), replace=True)

    assert names(registry.view())[0] == "get__pixel"
    assert len(set(names(registry.view()))) == 3


def test_a_private_device_labelled_like_a_shared_one_is_told_apart_from_it() -> None:
    registry = a_registry()
    registry.offer(Phone("s", "pixel"), tools("search"), replace=True)
    registry.offer(Phone("m", "pixel", shared=False), tools("search"), replace=True)

    digits = sha256(b"m").hexdigest()[:4]
    assert names(registry.view(everything=True)) == ["search", f"search__pixel_{digits}"]


@pytest.mark.requirement("runtime.registries.own-filter")
def test_a_private_device_is_seen_in_its_own_session_only() -> None:
    registry = a_registry()
    mine, other, bridge = Phone("m", shared=False), Phone("o", shared=False), Phone("b", "bridge")
    registry.offer(mine, tools("mine"), replace=True)
    registry.offer(other, tools("other"), replace=True)
    registry.offer(bridge, tools("shared"), replace=True)

    assert names(registry.view(mine)) == ["mine", "shared"]
    assert names(registry.view(other)) == ["other", "shared"]
    assert names(registry.view()) == names(registry.view(bridge)) == ["shared"]
    assert names(registry.view(everything=True)) == ["mine", "other", "shared"]
    assert registry.view(mine).find("other") is None
    assert names(registry.view(Phone("m", shared=False))) == ["shared"]


async def test_in_its_own_session_a_private_device_comes_before_shared_ones() -> None:
    registry, mine = a_registry(), Phone("m", shared=False)
    registry.offer(Phone("b", "bridge"), tools("search"), replace=True)
    answer = registry.offer(mine, tools("search"), replace=True)[0]

    assert answer.public_name == "search"
    assert names(registry.view(mine)) == ["search"]
    assert await who_answers(registry.view(mine), "search") == "m"
    assert await who_answers(registry.view(), "search") == "b"


async def test_where_all_are_seen_a_private_tool_gives_way_to_a_shared_one_of_its_name() -> None:
    registry = a_registry()
    registry.offer(Phone("m", "mine", shared=False), tools("search", "own"), replace=True)
    registry.offer(Phone("b", "bridge"), tools("search"), replace=True)

    view = registry.view(everything=True)

    assert names(view) == ["own", "search", "search__mine"]
    assert await who_answers(view, "search") == "b"
    assert await who_answers(view, "search__mine") == "m"


async def test_where_all_are_seen_equal_private_tools_carry_their_devices() -> None:
    registry = a_registry()
    registry.offer(Phone("one", "app", shared=False), tools("search"), replace=True)
    registry.offer(Phone("two", "app", shared=False), tools("search"), replace=True)

    view = registry.view(everything=True)

    assert view.find("search") is None
    assert {await who_answers(view, name) for name in names(view)} == {"one", "two"}


def test_a_private_device_never_changes_the_names_of_shared_ones() -> None:
    registry = a_registry()
    registry.offer(Phone("one", "pixel"), tools("search"), replace=True)
    registry.offer(Phone("two", "tablet"), tools("search"), replace=True)
    before = names(registry.view())

    registry.offer(Phone("m", "pixel", shared=False), tools("search", "search__pixel"), replace=True)

    assert names(registry.view()) == before
    assert set(before) < set(names(registry.view(everything=True)))


def test_a_view_keeps_its_names_while_the_registry_changes() -> None:
    registry = a_registry()
    registry.offer(Phone("p", "pixel"), tools("search"), replace=True)
    view = registry.view()

    registry.offer(Phone("t", "tablet"), tools("search"), replace=True)

    assert (view.revision, registry.revision) == (1, 2)
    assert names(view) == ["search"]
    assert view.find("search") is not None
    assert view.find("search__tablet") is None


def test_a_misspelt_name_gets_the_nearest_ones() -> None:
    registry = a_registry()
    registry.offer(Phone("p"), tools("notes__search", "notes__list", "weather__today"), replace=True)

    for view in (registry.view(), registry.view(everything=True)):
        assert view.nearest("search") == ("notes__search",)
        assert view.nearest("notes__serch")[0] == "notes__search"
        assert view.nearest("Weather__Today") == ("weather__today",)
        assert view.nearest("zzz") == ()
        assert view.nearest("") == ()


def test_a_device_that_changes_its_label_or_kind_is_seen_by_the_new_one() -> None:
    registry, phone = a_registry(), Phone("p", "pixel")
    registry.offer(Phone("t", "tablet"), tools("search"), replace=True)
    registry.offer(phone, tools("search"), replace=True)

    phone.label = "kitchen"
    registry.offer(phone, tools("search"), replace=True)
    assert names(registry.view()) == ["search__kitchen", "search__tablet"]

    phone.shared = False
    registry.offer(phone, tools("search"), replace=True)
    assert names(registry.view()) == ["search"]
    assert names(registry.view(everything=True)) == ["search", "search__kitchen"]


WIRE_NAMES = st.one_of(
    st.sampled_from(
        ["get", "get__a", "get__b", "get__a-1", "día", "d_a", "x" * 64, "x" * 70, "get_", "get__", "__", "clock"]
    ),
    st.text(max_size=70),
    st.text("ab_-", min_size=1, max_size=6),
)
LABELS = st.one_of(st.sampled_from(["a", "A", "b", "a 1", "天气", "", "a_1"]), st.text(max_size=20))
HOSTS = st.dictionaries(
    st.sampled_from(["h1", "h2", "h3", "h4", "h5"]),
    st.tuples(LABELS, st.booleans(), st.lists(WIRE_NAMES, max_size=6)),
    max_size=5,
)
Offers = dict[str, tuple[str, bool, list[str]]]


def registry_of(offers: Offers, order: tuple[str, ...]) -> tuple[ToolRegistry, dict[str, Phone]]:
    registry = a_registry()
    phones = {}
    for host_id in order:
        label, shared, wires = offers[host_id]
        phones[host_id] = Phone(host_id, label, shared=shared)
        registry.offer(phones[host_id], tools(*wires), replace=True)
    return registry, phones


@pytest.mark.requirement("runtime.registry.lookup", "runtime.registries.agree")
@given(HOSTS)
@settings(deadline=None)
def test_names_are_legal_and_lead_to_exactly_one_tool(offers: Offers) -> None:
    registry, phones = registry_of(offers, tuple(offers))

    for view in (registry.view(), registry.view(everything=True), *map(registry.view, phones.values())):
        seen = names(view)
        assert len(set(seen)) == len(seen)
        assert all(LEGAL.fullmatch(name) for name in seen)
        assert [found(view, name).spec for name in seen] == list(view.specs())
    rows = registry.rows()
    usable = {(row.source, row.wire_name): row.name for row in rows if row.state is not ToolState.QUARANTINED}
    assert sorted(usable.values()) == names(registry.view(everything=True))


@given(HOSTS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_names_do_not_depend_on_the_order_in_which_devices_and_tools_came(offers: Offers, chance: Random) -> None:
    expected = [(row.source, row.wire_name, row.name) for row in registry_of(offers, tuple(offers))[0].rows()]
    order = list(offers)
    chance.shuffle(order)
    shuffled = {host_id: (label, shared, wires[::-1]) for host_id, (label, shared, wires) in offers.items()}

    registry, _ = registry_of(shuffled, tuple(order))

    assert [(row.source, row.wire_name, row.name) for row in registry.rows()] == expected
    # Others that come and go leave no trace.
    stranger = Phone("stranger", "a")
    registry.offer(stranger, tools("get", "get__a", "x" * 64), replace=True)
    registry.withdraw(stranger)
    assert [(row.source, row.wire_name, row.name) for row in registry.rows()] == expected


def test_every_order_of_four_apps_with_one_tool_gives_the_same_names() -> None:
    labels = {"weather": "天气", "maps": "地图", "notes-1": "Notes", "notes-2": "Notes"}
    offers = {host_id: (label, True, ["get"]) for host_id, label in labels.items()}

    views = {tuple(names(registry_of(offers, order)[0].view())) for order in itertools.permutations(offers)}

    assert len(views) == 1
    assert len(set(views.pop())) == 4


def test_many_devices_with_many_names_can_come_change_and_go() -> None:
    registry = a_registry()
    phones = [Phone(f"p{number}", f"phone {number}") for number in range(60)]
    for number, phone in enumerate(phones):
        own = [f"tool_{number}_{tool}" for tool in range(90)]
        registry.offer(phone, tools("search", *own), replace=True)
        registry.offer(phone, tools("search", *own[:80]), replace=True)

    view = registry.view(everything=True)
    assert found(view, "tool_7_5").spec.origin is not None
    assert view.find("tool_7_85") is None
    assert view.find("search") is None
    for phone in phones[1:]:
        registry.withdraw(phone)
    assert registry.view(everything=True).find("search") is not None
    assert registry.view(everything=True).find("tool_7_5") is None
    assert len(names(registry.view())) == 81


def test_a_tool_keeps_its_description_app_and_device_in_its_spec() -> None:
    registry = a_registry()
    registry.offer(Phone("p", "pixel"), [a_tool("a", description="Says a.", app="org.example.a")], replace=True)

    spec = registry.view().specs()[0]

    assert spec.description == "Says a."
    assert spec.origin is not None
    assert (spec.origin.device, spec.origin.app) == ("pixel", "org.example.a")
