"""The smallest input that breaks each rule of the validator: content, a JSON value, or a function of a folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cetp_spec.validator import check, input_of, validate
from support.axml import apk, compile_manifest
from support.manifests import (
    AUTHORITY,
    DEFINES,
    EXPORTED,
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
from support.validating import listed, rules, success, tool

DEEP = "[" * 300 + "]" * 300


def folder(*files: tuple[str, str]) -> Callable[[Path], list[str]]:
    """The rules for a project folder with these files."""

    def run(root: Path) -> list[str]:
        for name, content in files:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return rules(validate(root))

    return run


def together(*contents: str) -> Callable[[Path], list[str]]:
    """The rules for several manifests in one run."""
    inputs = [input_of(content.encode(), f"{index}.xml") for index, content in enumerate(contents)]
    return lambda _: rules(check(inputs).problems)


def schema(**members: Any) -> dict[str, Any]:
    return listed(tool({"type": "object", "properties": {}} | members))


def prop(**members: Any) -> dict[str, Any]:
    return schema(properties={"x": members})


def reply_error(**members: Any) -> dict[str, Any]:
    good = {
        "status": "error",
        "error_code": "AUTH_REQUIRED",
        "error_message": "No.",
        "resolution_hint": "Open the app.",
    }
    return {key: value for key, value in (good | members).items() if value is not None}


def nested(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        inner = {"type": "object", "properties": {"x": inner}}
    return inner


def chain(levels: int) -> dict[str, Any]:
    """Definitions of which each uses the next one twice."""
    names = {f"d{n}": {"properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "ab"}} for n in range(levels)}
    return names | {f"d{levels}": {"type": "string"}}


def with_version(value: str) -> str:
    return provider_app(discovery=announced(version=value))


def with_authority(value: str) -> str:
    return provider_app(discovery=announced(authority=value))


BUILD = 'plugins { id("com.android.application") }\nandroid { defaultConfig { applicationId = "org.example.notes" } }\n'
MAIN = "app/src/main/AndroidManifest.xml"
STRINGS = '<resources><string name="auth">org.example.notes.tools</string></resources>'

CASES: dict[str, Any] = {
    "input.missing": lambda root: rules(validate(root / "absent.json")),
    "input.too-large": b'{"status":"' + b"x" * (4 * 1024 * 1024) + b'"}',
    "input.kind-unknown": '{"weather": "fine"}',
    "input.no-manifest": folder(("README.md", "no app")),
    "xml.syntax": "<manifest>\n<application>\n</manifest>",
    "xml.doctype": '<!DOCTYPE m [<!ENTITY a "b">]><manifest/>',
    "apk.zip": b"PK\x03\x04 and then nothing",
    "apk.manifest": apk(b"\x03\x00\x08\x00broken"),
    "manifest.root": "<resources/>",
    "json.syntax": '{"status": "success",}',
    "json.encoding": b'{"status": "\xff"}',
    "json.too-deep": '{"status": ' + DEEP + "}",
    "json.byte-order-mark": b"\xef\xbb\xbf" + b'{"status": "success", "data": "1"}',
    "json.duplicate-key": '{"status": "success", "data": "1", "data": "2"}',
    "json.constant": {"status": "success", "data": '{"t": NaN}'},
    "json.number-unsafe": success({"id": 2**53}),
    "json.half-character": '{"status": "success", "data": "\\"\\\\ud83d\\""}',
    "manifest.discovery.missing": manifest(),
    "manifest.discovery.action": provider_app(
        discovery=service(
            meta(AUTHORITY, TOOLS), meta(VERSION, "1"), filters=action_filter("com.clawseed.action.TOOLS_PROVIDER")
        )
    ),
    "manifest.discovery.component": provider_app(
        discovery=service(meta(AUTHORITY, TOOLS), meta(VERSION, "1"), tag="receiver")
    ),
    "manifest.discovery.filter-data": provider_app(
        discovery=service(
            meta(AUTHORITY, TOOLS), meta(VERSION, "1"), filters=action_filter(more='<data android:scheme="cetp"/>')
        )
    ),
    "manifest.discovery.not-exported": provider_app(
        discovery=service(meta(AUTHORITY, TOOLS), meta(VERSION, "1"), attributes='android:exported="false"')
    ),
    "manifest.discovery.exported-missing": provider_app(
        discovery=service(meta(AUTHORITY, TOOLS), meta(VERSION, "1"), attributes="")
    ),
    "manifest.discovery.disabled": provider_app(
        discovery=service(meta(AUTHORITY, TOOLS), meta(VERSION, "1"), attributes=f'{EXPORTED} android:enabled="false"')
    ),
    "manifest.exported.unknown": provider_app(called=provider(attributes='android:exported="@bool/exp"')),
    "manifest.meta-data.misplaced": provider_app(discovery=service(meta(VERSION, "1")), more=meta(AUTHORITY, TOOLS)),
    "manifest.meta-data.misspelt": provider_app(
        discovery=service(meta("com.clawseed.tool.authority", TOOLS), meta(VERSION, "1"))
    ),
    "manifest.meta-data.resource": provider_app(
        discovery=service(meta(AUTHORITY, TOOLS), meta(VERSION, "@integer/v", "resource"))
    ),
    "manifest.resource.missing": folder(
        (MAIN, with_authority("@string/other")), ("app/src/main/res/values/a.xml", STRINGS)
    ),
    "manifest.resource.unreadable": folder(
        (MAIN, with_authority("@string/auth")),
        ("app/src/main/res/values/a.xml", STRINGS),
        ("app/src/main/res/values/b.xml", '<resources><string name="auth">'),
    ),
    "manifest.value.unresolved": with_authority("@string/auth"),
    "manifest.placeholder.unknown": provider_app(discovery=announced("${host}.t"), called=provider("${host}.t")),
    "manifest.placeholder.left": apk(
        compile_manifest(provider_app(discovery=announced("${applicationId}.t"), called=provider("${applicationId}.t")))
    ),
    "manifest.authority.missing": provider_app(discovery=service(meta(VERSION, "1"))),
    "manifest.authority.unmatched": with_authority("org.example.other"),
    "manifest.authority.list": with_authority("org.example.a;org.example.b"),
    "manifest.authority.varies": folder(
        (MAIN, with_authority("@string/auth")),
        ("app/src/main/res/values/a.xml", STRINGS),
        ("app/src/main/res/values-de/a.xml", STRINGS.replace("tools", "werkzeuge")),
    ),
    "manifest.authority.not-text": with_authority("1"),
    "manifest.authority.characters": with_authority("org.example/tools"),
    "manifest.authority.untidy": provider_app(called=provider(f"{TOOLS};")),
    "manifest.authority.shared": provider_app(more=provider(name=".Second")),
    "manifest.authority.half-fixed": provider_app(called=provider("${applicationId}.tools")),
    "manifest.authority.fixed": folder(
        (MAIN, provider_app(package="")),
        ("app/build.gradle.kts", BUILD + 'buildTypes { debug { applicationIdSuffix = ".debug" } }'),
    ),
    "manifest.authority.taken-twice": together(provider_app(), provider_app(package="org.example.other")),
    "manifest.version.missing": provider_app(discovery=service(meta(AUTHORITY, TOOLS))),
    "manifest.version.not-a-number": with_version("latest"),
    "manifest.version.unknown": with_version("2"),
    "manifest.version.list": with_version("1,2"),
    "manifest.version.literal": with_version("1.0"),
    "manifest.version.varies": folder(
        (MAIN, with_version("@string/v")),
        ("app/src/main/res/values/a.xml", '<resources><string name="v">1</string></resources>'),
        ("app/src/main/res/values-v29/a.xml", '<resources><string name="v">2</string></resources>'),
    ),
    "manifest.provider.not-exported": provider_app(called=provider(attributes='android:exported="false"')),
    "manifest.provider.exported-implied": provider_app(called=provider(attributes=""), target=16),
    "manifest.provider.disabled": provider_app(called=provider(attributes=f'{EXPORTED} android:enabled="false"')),
    "manifest.provider.init-order": provider_app(called=provider(order="")),
    "manifest.permission.missing": provider_app(called=provider(permission="")),
    "manifest.permission.misspelt": provider_app(
        called=provider(permission='android:permission="com.clawseed.permissions.ACCESS_TOOLS"')
    ),
    "manifest.permission.other": provider_app(called=provider(permission='android:permission="org.example.READ"')),
    "manifest.permission.defined-by-provider": provider_app(outside=DEFINES),
    "manifest.permission.defined-twice": together(
        consumer_app(outside=USES + QUERIES + DEFINES),
        consumer_app(outside=USES + QUERIES + DEFINES).replace("org.example.bridge", "org.example.other"),
    ),
    "manifest.permission.level": consumer_app(outside=USES + QUERIES + DEFINES.replace("normal", "signature")),
    "manifest.consumer.permission-missing": consumer_app(outside=QUERIES),
    "manifest.queries.missing": consumer_app(outside=USES),
    "manifest.queries.misspelt": consumer_app(outside=USES + QUERIES.replace("PROVIDER", "PROVIDERS")),
    "manifest.queries.misplaced": consumer_app(outside=USES, inside=QUERIES),
    "manifest.queries.all-packages": consumer_app(
        outside=USES + '<uses-permission android:name="android.permission.QUERY_ALL_PACKAGES"/>'
    ),
    "tools.structure": {"tools": "none"},
    "tools.empty": {"tools": []},
    "tools.many": listed(*(tool(name=f"t{n}") for n in range(129))),
    "tools.too-many": listed(*(tool(name=f"t{n}") for n in range(1025))),
    "tool.structure": listed("get_notes"),
    "tool.name.missing": listed(tool(name="")),
    "tool.name.unnameable": listed(tool(name="a\0b")),
    "tool.name.characters": listed(tool(name="meter.read/now")),
    "tool.name.shortened": listed(tool(name="n" * 64)),
    "tool.name.duplicate": listed(tool(), tool()),
    "tool.description.missing": listed(tool(description=" ")),
    "tool.description.long": listed(tool(description="d" * 1025)),
    "tool.writes": listed(tool(name="delete_note")),
    "tool.schema.root": listed(tool({"type": "array"})),
    "tool.schema.root-type-missing": listed(tool({"properties": {}})),
    "tool.schema.invalid": prop(type="integer", exclusiveMinimum=True),
    "tool.schema.draft": {"tools": [tool({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"})]},
    "tool.schema.pattern": prop(type="string", pattern="(a"),
    "tool.schema.root-combinator": schema(anyOf=[{"required": ["x"]}]),
    "tool.schema.root-reference": listed(tool({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}})),
    "tool.schema.boolean": schema(properties={"x": True}),
    "tool.schema.type-list": prop(type=["string", "integer"]),
    "tool.schema.never-null": prop(type=["string", "null"], enum=["on"]),
    "tool.schema.empty-choice": prop(type="string", enum=["C", ""]),
    "tool.schema.keyword": prop(type="object", patternProperties={"^x": {"type": "string"}}),
    "tool.schema.required-unknown": schema(required=["y"]),
    "tool.schema.ref-remote": prop(**{"$ref": "https://example.org/schema.json"}),
    "tool.schema.ref-dangling": prop(**{"$ref": "#/$defs/gone"}),
    "tool.schema.ref-loop": schema(properties={"x": {"$ref": "#/$defs/a"}}, **{"$defs": {"a": {"$ref": "#/$defs/a"}}}),
    "tool.schema.ref-recursive": schema(
        properties={"x": {"$ref": "#/$defs/n"}}, **{"$defs": {"n": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}
    ),
    "tool.schema.ref-explosion": schema(properties={"x": {"$ref": "#/$defs/d0"}}, **{"$defs": chain(20)}),
    "tool.schema.deep": listed(tool(nested(9))),
    "tool.schema.too-deep": listed(tool(nested(20))),
    "tool.schema.large": prop(type="string", description="x" * 9000),
    "tool.schema.too-large": prop(type="string", description="x" * 66_000),
    "tool.schema.too-many-references": schema(
        properties={f"p{n}": {"$ref": "#/$defs/a"} for n in range(65)}, **{"$defs": {"a": {"type": "string"}}}
    ),
    "reply.structure": {"status": "error", "error_code": "AUTH_REQUIRED", "error_message": "No.", "resolution_hint": 5},
    "reply.status": {"status": "ok", "data": "1"},
    "reply.mixed": success(1) | {"error_code": "INTERNAL_ERROR"},
    "reply.data.missing": {"status": "success"},
    "reply.data.not-text": {"status": "success", "data": {"t": 1}},
    "reply.data.not-json": {"status": "success", "data": "ok"},
    "reply.data.encoded-twice": success('{"t": 1}'),
    "reply.error-code.missing": reply_error(error_code=None, resolution_hint=None),
    "reply.error-code.unknown": reply_error(error_code="NOT_TODAY", resolution_hint=None),
    "reply.error-message.missing": reply_error(error_message=None),
    "reply.error-message.empty": reply_error(error_message=" "),
    "reply.authorisation.no-way": reply_error(resolution_hint=None),
    "reply.authorisation.misplaced": reply_error(error_code="RATE_LIMITED"),
    "reply.authorisation.intent": reply_error(authorize_intent="https://example.org/grant"),
    "reply.size.over": success("x" * 600_000),
    "reply.size.large": success("x" * 250_000),
    "info.structure": {"provider_name": "Notes", "scopes": ["all"]},
}
