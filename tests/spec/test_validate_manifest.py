"""Source manifests: what an author may write, and what each way of writing it comes to."""

import pytest

from cetp_spec.validator import Severity, check, input_of, validate
from support.manifests import (
    AUTHORITY,
    DEFINES,
    EXPORTED,
    PERMISSION,
    QUERIES,
    TOOLS,
    USES,
    VERSION,
    action_filter,
    announced,
    consumer_app,
    manifest,
    meta,
    provider,
    provider_app,
    service,
)
from support.validating import only, rules_of

SPEC_EXAMPLE = """<manifest xmlns:android="http://schemas.android.com/apk/res/android">
<application>
<service
    android:name=".cetp.ToolProviderService"
    android:exported="true">
    <intent-filter>
        <action android:name="com.clawseed.action.TOOL_PROVIDER" />
    </intent-filter>
    <meta-data android:name="com.clawseed.tools.authority"
        android:value="com.example.app.clawseed.tools" />
    <meta-data android:name="com.clawseed.tools.version"
        android:value="1" />
</service>
<provider
    android:name=".cetp.ToolProvider"
    android:authorities="com.example.app.clawseed.tools"
    android:exported="true"
    android:permission="com.clawseed.permission.ACCESS_TOOLS"
    android:initOrder="100" />
</application>
</manifest>"""


@pytest.mark.requirement(
    "cetp.2.2.service",
    "cetp.2.2.authority",
    "cetp.2.2.version",
    "cetp.2.2.provider",
    "cetp.2.2.permission",
    "cetp.2.2.init-order",
)
def test_the_example_of_the_specification_is_without_fault() -> None:
    assert rules_of(SPEC_EXAMPLE) == []


def test_a_problem_names_line_rule_severity_section_and_cure() -> None:
    found = validate(provider_app(called=provider(permission="")).encode(), name="AndroidManifest.xml")
    (problem,) = found
    line = provider_app(called=provider(permission="")).splitlines().index(provider(permission="")) + 1
    assert str(problem.place) == f"AndroidManifest.xml:{line}"
    assert (problem.rule, problem.severity, problem.section) == ("manifest.permission.missing", Severity.ERROR, "10")
    assert "every app may call" in problem.message
    assert PERMISSION in problem.advice


def test_a_consumer_without_fault_is_fine() -> None:
    assert rules_of(consumer_app()) == []


# Versions


@pytest.mark.requirement("cetp.2.5.version-rule")
@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("1.10", "manifest.version.literal"),
        ("1.0", "manifest.version.literal"),
        ("1e3", "manifest.version.literal"),
        ("0x10", "manifest.version.literal"),
        ("true", "manifest.version.literal"),
        ("99999999999", "manifest.version.literal"),
        ("\\ 1", "manifest.version.not-a-number"),
        ("v1", "manifest.version.not-a-number"),
        ("0", "manifest.version.not-a-number"),
        ("-1", "manifest.version.not-a-number"),
        ("2", "manifest.version.unknown"),
        ("", "manifest.version.missing"),
    ],
)
def test_a_version_that_does_not_survive_the_build_or_is_not_known_is_named(written: str, rule: str) -> None:
    assert rules_of(provider_app(discovery=announced(version=written))) == [rule]


@pytest.mark.parametrize("written", ["1", " 1 ", "\\u0031"])
def test_version_1_may_be_a_number_or_text(written: str) -> None:
    assert rules_of(provider_app(discovery=announced(version=written))) == []


def test_the_message_shows_the_version_as_written() -> None:
    assert '"1.10"' in only(provider_app(discovery=announced(version="1.10"))).message


# Authorities


def test_the_authority_may_be_the_second_of_the_providers_list() -> None:
    assert rules_of(provider_app(called=provider(f"org.example.a.tools;{TOOLS}"))) == []


@pytest.mark.parametrize("authorities", [f"org.example.a ; {TOOLS}", f"{TOOLS};"])
def test_blanks_and_trailing_semicolons_are_warned_about_and_no_part_of_a_name(authorities: str) -> None:
    problem = only(provider_app(called=provider(authorities)))
    assert (problem.rule, problem.severity) == ("manifest.authority.untidy", Severity.WARNING)


def test_an_unmatched_authority_is_reported_with_those_that_exist() -> None:
    problem = only(provider_app(discovery=announced("org.example.note.tools")))
    assert problem.rule == "manifest.authority.unmatched"
    assert TOOLS in problem.message


def test_meta_data_of_the_provider_or_application_is_read_by_nobody() -> None:
    found = rules_of(manifest(service(meta(VERSION, "1")), provider(), meta(AUTHORITY, TOOLS)))
    assert found == ["manifest.authority.missing", "manifest.meta-data.misplaced"]


@pytest.mark.requirement("cetp.3.3.init-order")
@pytest.mark.parametrize("order", ["", 'android:initOrder="1"'])
def test_a_provider_that_does_not_come_first_is_told_what_the_protocol_recommends(order: str) -> None:
    problem = only(provider_app(called=provider(order=order)))
    assert (problem.rule, problem.severity) == ("manifest.provider.init-order", Severity.WARNING)
    assert "recommends 100" in problem.message


# Exported


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        (16, "manifest.provider.exported-implied"),
        (17, "manifest.provider.not-exported"),
        (34, "manifest.provider.not-exported"),
    ],
)
def test_a_provider_without_exported_depends_on_the_target(target: int, rule: str) -> None:
    assert rules_of(provider_app(called=provider(attributes=""), target=target)) == [rule]


@pytest.mark.parametrize(("target", "expected"), [(30, []), (34, ["manifest.discovery.exported-missing"])])
def test_a_service_without_exported_depends_on_the_target(target: int, expected: list[str]) -> None:
    discovery = service(meta(AUTHORITY, TOOLS), meta(VERSION, "1"), attributes="")
    assert rules_of(provider_app(discovery=discovery, target=target)) == expected


def test_without_a_target_the_minimum_counts_and_the_message_says_so() -> None:
    text = provider_app(called=provider(attributes=""), outside='<uses-sdk android:minSdkVersion="16"/>', target=None)
    problem = only(text)
    assert problem.rule == "manifest.provider.exported-implied"
    assert "minSdkVersion 16 counts" in problem.message


def test_a_resource_as_exported_is_neither_passed_nor_refused() -> None:
    problem = only(provider_app(called=provider(attributes='android:exported="@bool/exp"')))
    assert (problem.rule, problem.severity) == ("manifest.exported.unknown", Severity.WARNING)


def test_a_disabled_application_is_not_found() -> None:
    text = provider_app().replace("<application>", '<application android:enabled="false">')
    assert rules_of(text) == ["manifest.discovery.disabled", "manifest.provider.disabled"]


def test_the_applications_own_permission_holds_for_its_provider() -> None:
    text = provider_app(called=provider(permission=""))
    guarded = text.replace("<application>", f'<application android:permission="{PERMISSION}">')
    assert rules_of(guarded) == []


# Placeholders


def test_a_placeholder_is_filled_in_with_the_given_id() -> None:
    text = provider_app(
        discovery=announced("${applicationId}.tools"), called=provider("${applicationId}.tools"), package=""
    )
    assert rules_of(text, application_id="org.example.notes") == []


def test_a_placeholder_on_both_sides_is_consistent_without_any_id() -> None:
    text = provider_app(
        discovery=announced("${applicationId}.tools"), called=provider("${applicationId}.tools"), package=""
    )
    assert rules_of(text) == []


def test_different_texts_behind_the_same_placeholder_do_not_match() -> None:
    text = provider_app(
        discovery=announced("${applicationId}.tools"), called=provider("${applicationId}.tool"), package=""
    )
    assert rules_of(text) == ["manifest.authority.unmatched"]


def test_an_unknown_placeholder_is_named() -> None:
    text = provider_app(discovery=announced("${host}.tools"), called=provider("${host}.tools"))
    found = validate(text.encode())
    assert {item.rule for item in found} == {"manifest.placeholder.unknown"}
    assert all("${host}" in item.message for item in found)


@pytest.mark.parametrize("package", ["", "org.example.notes"])
def test_a_placeholder_on_one_side_only_breaks_with_the_next_flavour(package: str) -> None:
    text = provider_app(called=provider("${applicationId}.tools"), package=package)
    assert rules_of(text) == ["manifest.authority.half-fixed"]


def test_a_placeholder_spelled_out_by_a_build_tool_is_found_in_source_too() -> None:
    words = "dollar_openBracket_applicationId_closeBracket.tools"
    text = provider_app(discovery=announced(words), called=provider(words))
    assert set(rules_of(text)) == {"manifest.placeholder.left"}


# Permission


def test_two_providers_that_define_the_permission_are_both_named() -> None:
    first = provider_app(outside=DEFINES)
    second = provider_app(
        discovery=announced("org.example.b"), called=provider("org.example.b"), outside=DEFINES, package="org.example.b"
    )
    bridge = consumer_app()
    inputs = [input_of(text.encode(), name) for text, name in ((first, "a.xml"), (second, "b.xml"), (bridge, "c.xml"))]
    twice = [item for item in check(inputs).problems if item.rule == "manifest.permission.defined-twice"]
    assert [item.place.file for item in twice] == ["a.xml", "b.xml"]
    assert all("org.example.notes" in item.message and "org.example.b" in item.message for item in twice)


def test_a_debug_and_a_release_bridge_with_the_same_fixed_name_clash() -> None:
    release = consumer_app(outside=USES + QUERIES + DEFINES)
    debug = release.replace("org.example.bridge", "org.example.bridge.debug")
    found = check([input_of(release.encode(), "release.xml"), input_of(debug.encode(), "debug.xml")]).problems
    assert {item.rule for item in found} == {"manifest.permission.defined-twice"}


def test_the_bridge_may_define_the_permission() -> None:
    assert rules_of(consumer_app(outside=USES + QUERIES + DEFINES)) == []


def test_files_of_the_same_app_do_not_clash_with_each_other() -> None:
    inputs = [input_of(provider_app().encode(), name) for name in ("a.xml", "b.xml")]
    assert check(inputs).problems == ()


# Consumers


def test_old_targets_see_everything_without_queries() -> None:
    assert rules_of(consumer_app(outside=USES, target=29)) == []


def test_a_query_for_a_package_alone_does_not_find_providers() -> None:
    assert rules_of(consumer_app(outside=USES + '<queries><package android:name="org.example"/></queries>')) == [
        "manifest.queries.missing"
    ]


@pytest.mark.requirement("cetp.3.3.boot")
def test_a_provider_may_be_started_with_the_phone() -> None:
    receiver = (
        '<receiver android:name=".Boot" android:exported="false"><intent-filter>'
        '<action android:name="android.intent.action.BOOT_COMPLETED"/></intent-filter></receiver>'
    )
    asks = '<uses-permission android:name="android.permission.RECEIVE_BOOT_COMPLETED"/>'

    assert rules_of(provider_app(more=receiver, outside=asks)) == []


def test_an_app_may_be_provider_and_consumer() -> None:
    assert rules_of(provider_app(outside=USES + QUERIES)) == []


def test_what_merging_removes_is_not_there() -> None:
    removed = DEFINES.replace("<permission", '<permission tools:node="remove"')
    assert rules_of(provider_app(outside=removed)) == []


def test_a_service_of_another_action_is_recognised_by_its_meta_data() -> None:
    discovery = service(meta(AUTHORITY, TOOLS), meta(VERSION, "1"), filters=action_filter("org.example.OTHER"))
    assert rules_of(provider_app(discovery=discovery)) == ["manifest.discovery.action"]


def test_the_service_may_stand_anywhere_among_other_components() -> None:
    activity = f'<activity android:name=".Main" {EXPORTED}>{action_filter("android.intent.action.MAIN")}</activity>'
    assert rules_of(provider_app(more=activity)) == []
