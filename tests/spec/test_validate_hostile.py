"""Hostile input: nothing raises, nothing runs away, nothing steers the terminal of who reads the report."""

import http.server
import json
import threading
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_spec.validator import Kind, check, input_of, render_json, render_text, validate
from support.axml import apk, compile_manifest, resource_table
from support.manifests import announced, manifest, provider, provider_app
from support.validating import listed, rules_of, rules_of_value, success, tool

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE manifest [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + "]><manifest>&a11;</manifest>"
)
OUTSIDE = '<!DOCTYPE manifest [<!ENTITY x SYSTEM "file:///etc/hostname">]><manifest package="&x;">&x;</manifest>'
FAST = settings(max_examples=150, deadline=None)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)
keywords = st.sampled_from(
    [
        "type",
        "properties",
        "items",
        "anyOf",
        "allOf",
        "$ref",
        "$defs",
        "enum",
        "required",
        "pattern",
        "not",
        "if",
        "then",
        "const",
        "additionalProperties",
        "prefixItems",
        "$anchor",
        "patternProperties",
        "minimum",
        "exclusiveMinimum",
    ]
)
schemas = st.recursive(
    st.sampled_from(["object", "string", "#", "#/$defs/a", "#/properties/x", "(", "^(a+)+$", True, None, 5, ["null"]]),
    lambda inner: (
        st.dictionaries(keywords | st.sampled_from(["a", "x"]), inner, max_size=5) | st.lists(inner, max_size=3)
    ),
    max_leaves=25,
)


def shown(content: bytes, kind: Kind | None = None) -> str:
    """Both renderings of what is found in some content."""
    report = check([input_of(content)], kind)
    return render_text(report) + render_json(report)


@pytest.mark.parametrize("bomb", [LAUGHS, OUTSIDE, LAUGHS.encode("utf-16"), OUTSIDE.encode("utf-16")])
def test_document_types_and_entities_are_refused(bomb: str | bytes) -> None:
    assert rules_of(bomb) == ["xml.doctype"]


@pytest.mark.parametrize(
    "text",
    [
        "<manifest>" + "<a>" * 5000 + "</a>" * 5000 + "</manifest>",
        "<manifest " + " ".join(f'a{n}="x"' for n in range(50_000)) + ">",
        '<manifest package="' + "x" * (5 * 1024 * 1024) + '"/>',
        "<manifest>\0</manifest>",
        '<?xml version="1.0" encoding="no-such"?><manifest/>',
        "<",
    ],
    ids=["deep", "wide", "large", "nul", "encoding", "cut"],
)
def test_monstrous_xml_is_one_problem(text: str) -> None:
    (rule,) = rules_of(text, kind="manifest")
    assert rule in ("xml.syntax", "input.too-large")


def test_a_manifest_of_many_services_and_providers_is_judged() -> None:
    services = [announced(f"org.example.s{n}") for n in range(3000)]
    found = rules_of(manifest(*services, *(provider(f"org.example.p{n}", name=f".P{n}") for n in range(3000))))
    assert set(found) == {"manifest.authority.unmatched"}
    assert len(found) == 50


def test_a_manifest_of_too_many_elements_is_refused_in_both_forms() -> None:
    text = manifest("<activity/>" * 60_000)
    assert rules_of(text) == ["input.too-large"]
    assert rules_of(compile_manifest(text)) == ["input.too-large"]


@pytest.mark.parametrize("text", ['{"a":' * 100_000, "[" * 100_000, '{"tools":' + "[" * 900 + "]" * 900 + "}"])
def test_deep_nesting_is_one_problem(text: str) -> None:
    assert rules_of(text, kind="reply") == ["json.too-deep"]


def test_deep_nesting_inside_the_data_of_a_reply_is_one_problem() -> None:
    (problem,) = validate(json.dumps({"status": "success", "data": "[" * 500 + "]" * 500}).encode())
    assert problem.rule == "reply.data.not-json"
    assert "nested deeper" in problem.message


def test_thousands_of_digits_are_a_warning() -> None:
    assert rules_of('{"status": "success", "data": "' + "9" * 50_000 + '"}') == ["json.number-unsafe"]
    assert rules_of('{"status": "success", "data": "1e999"}') == ["json.number-unsafe"]


def test_repeated_keys_are_found_at_every_depth() -> None:
    text = (
        '{"tools": [{"name": "a", "name": "b", "description": "x", "parameters": {"type": "object", "type": "array"}}]}'
    )
    found = [item for item in validate(text.encode()) if item.rule == "json.duplicate-key"]
    assert [item.place.pointer for item in found] == ["/tools/0", "/tools/0/parameters"]


def test_a_hundred_thousand_tools_are_counted_and_not_all_checked() -> None:
    found = rules_of_value({"tools": [{"name": "", "description": ""}] * 100_000})
    assert found[0] == "tools.too-many"
    assert len(found) < 5000


@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "(" * 5000, "a{99999999}", "[", "\\p{L}+", "(?<n>a)\\k<n>", "x" * 30_000]
)
def test_patterns_are_compiled_and_never_run(pattern: str) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": pattern}}}
    assert set(rules_of_value(listed(tool(schema)))) <= {"tool.schema.pattern", "tool.schema.large"}


@pytest.fixture
def visited() -> Iterator[tuple[str, list[str]]]:
    """A loopback server, and the paths that were asked of it."""
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", paths
        server.shutdown()
        thread.join(timeout=10)


def test_nothing_is_ever_fetched(visited: tuple[str, list[str]]) -> None:
    url, paths = visited
    schema = {"$schema": f"{url}/s", "$id": f"{url}/i", "type": "object", "properties": {"x": {"$ref": f"{url}/x"}}}
    xml = f'<!DOCTYPE manifest SYSTEM "{url}/m.dtd"><manifest/>'
    include = f'<manifest xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="{url}/y"/></manifest>'
    assert "tool.schema.ref-remote" in rules_of_value(listed(tool(schema)))
    assert rules_of(xml) == ["xml.doctype"]
    rules_of(include)
    assert paths == []


def test_a_zip_bomb_is_read_up_to_the_limit_only() -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("AndroidManifest.xml", b"\0" * (80 * 1024 * 1024))
    assert rules_of(buffer.getvalue()) == ["input.too-large"]


def test_names_cannot_steer_the_terminal() -> None:
    evil = "a\x1b[31m\r\n\u202e\ud800"
    text = json.dumps(listed(tool(name=evil), tool({"type": evil}, name="ok")))
    output = shown(text.encode())
    assert not set(output) & {"\x1b", "\r", "\u202e"}
    output.encode()
    report = check([input_of(text.encode(), "x\x1b.json")])
    assert "\x1b" not in render_text(report)
    assert len(render_text(report).splitlines()) == len(report.problems) + 1


@given(st.binary(max_size=300), st.sampled_from([None, *Kind]))
@FAST
def test_no_bytes_raise(content: bytes, kind: Kind | None) -> None:
    shown(content, kind)


@given(json_values, st.sampled_from([None, Kind.REPLY, Kind.LIST_TOOLS, Kind.TOOL, Kind.PROVIDER_INFO]))
@FAST
def test_no_json_raises(value: Any, kind: Kind | None) -> None:
    shown(json.dumps(value).encode(), kind)


@given(json_values)
@FAST
def test_no_data_of_a_reply_raises(value: Any) -> None:
    shown(json.dumps(success({"tools": [value], "scopes": value, "provider_name": value})).encode())


@given(schemas)
@FAST
def test_no_schema_raises(schema: Any) -> None:
    shown(json.dumps(listed(tool() | {"parameters": schema})).encode())


@given(st.data())
@FAST
def test_no_damaged_apk_raises(data: st.DataObject) -> None:
    source = provider_app(discovery=announced("@string/auth"), called=provider("@string/auth"))
    manifest = bytearray(compile_manifest(source, {"@string/auth": 0x7F010000}))
    table = bytearray(resource_table([(1, "", {0: (3, "org.example.notes.tools")})]))
    for part in (manifest, table):
        for _ in range(data.draw(st.integers(0, 3))):
            part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    shown(apk(bytes(manifest), bytes(table)))


@pytest.mark.parametrize("path", ["", "\0", "a" * 5000, "/proc/self/mem"])
def test_odd_paths_are_problems(path: str, tmp_path: Path) -> None:
    assert len(check([input_of(tmp_path / path if not path else Path(path), "x")]).problems) == 1


def test_a_device_without_content_is_called_empty() -> None:
    (problem,) = validate(Path("/dev/null"))
    assert problem.message == "is empty"
