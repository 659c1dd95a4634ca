"""Every rule of the validator: id, severity, section of the specification, and how to mend what it finds.

Ids are stable: people write them into their build scripts. `cetp validate --rules` prints this table.
"""

import msgspec

from cetp_spec.validator.problem import Place, Problem, Severity


class Rule(msgspec.Struct, frozen=True):
    """One row of the table."""

    id: str
    severity: Severity
    section: str
    """Section of cetp-spec/README.md."""
    advice: str
    unreadable: bool = False
    """The input, or part of it, could not be looked at: the command ends with 2."""


def _error(rule: str, section: str, advice: str) -> Rule:
    return Rule(rule, Severity.ERROR, section, advice)


def _warning(rule: str, section: str, advice: str) -> Rule:
    return Rule(rule, Severity.WARNING, section, advice)


def _stop(rule: str, section: str, advice: str) -> Rule:
    return Rule(rule, Severity.ERROR, section, advice, unreadable=True)


_INPUT = (
    _stop("input.missing", "14", "Check the path, and that the file may be read."),
    _stop("input.too-large", "12", "Pass the manifest, the APK or one reply; nothing larger can be one."),
    _stop("input.kind-unknown", "14", "Name the kind with --kind."),
    _stop("input.no-manifest", "3", "Pass the folder of an Android project or module, or the manifest itself."),
    _stop("input.extra-missing", "14", "Install the extra, or pass the source manifest."),
    _stop("xml.syntax", "3", "Mend the XML; the build fails on it too."),
    _stop("xml.doctype", "3", "Take the <!DOCTYPE …> out; manifests need none."),
    _stop("apk.zip", "3", "Pass an APK as it came out of the build; an .aab or .apks holds APKs or is made into one."),
    _stop("apk.manifest", "3", "Build the APK anew, or pass the source manifest."),
    _stop("manifest.root", "3", "Pass AndroidManifest.xml; its root is <manifest>."),
    _stop("json.syntax", "5", "Send what a JSON library prints, not text put together by hand."),
    _stop("json.encoding", "5", "Save the file as UTF-8."),
    _stop("json.too-deep", "12", "Flatten the data: no reader is made for such nesting."),
)
_JSON = (
    _warning("json.byte-order-mark", "5", "Save without it; JSON parsers may refuse it."),
    _warning("json.duplicate-key", "5", "Give each key once."),
    _error("json.constant", "5", "Send null, or leave the member out; JSON has no NaN and no Infinity."),
    _warning("json.number-unsafe", "5", "Send ids and numbers beyond 2^53 as strings: some hop reads them as doubles."),
    _error("json.half-character", "5", "Cut text between characters; half of one cannot be sent as UTF-8."),
)
_DISCOVERY = (
    _error("manifest.discovery.missing", "3", "Declare an exported <service> with the action in an <intent-filter>."),
    _error("manifest.discovery.action", "3", "Write the action exactly so; consumers search for nothing else."),
    _error("manifest.discovery.component", "3", "Move the filter and the meta-data to a <service>."),
    _error("manifest.discovery.filter-data", "3", "Give the action a filter of its own, without <data>."),
    _error("manifest.discovery.not-exported", "3", 'Set android:exported="true" on the service.'),
    _error("manifest.discovery.exported-missing", "3", 'Write android:exported="true" on the service.'),
    _error("manifest.discovery.disabled", "3", "Take android:enabled out; a disabled component is not found."),
    _warning("manifest.exported.unknown", "3", 'Write android:exported="true"; a resource may differ per device.'),
    _error("manifest.meta-data.misplaced", "3", "Put the <meta-data> inside the discovery <service>."),
    _error("manifest.meta-data.misspelt", "3", "Write the name of the meta-data exactly so."),
    _error("manifest.meta-data.resource", "3", "Use android:value, which may also be @string/…."),
    _error("manifest.resource.missing", "3", "Define the resource in res/values, or write the value itself."),
    _warning("manifest.resource.unreadable", "3", "Mend this resource file; values in it are not seen."),
    _warning("manifest.value.unresolved", "3", "Check the whole project or the APK, or write the value itself."),
    _error(
        "manifest.placeholder.unknown", "3", "Set it in manifestPlaceholders of the build file, or use applicationId."
    ),
    _error("manifest.placeholder.left", "3", "Let the Android build merge the manifest, or write the application id."),
)
_AUTHORITY = (
    _error("manifest.authority.missing", "3", "Add <meta-data> with com.clawseed.tools.authority to the service."),
    _error(
        "manifest.authority.unmatched", "3", "Give an exported <provider> of this app the same android:authorities."
    ),
    _error("manifest.authority.list", "3", "Name one authority; only <provider> may have several."),
    _error(
        "manifest.authority.varies", "3", 'Keep one value for all configurations: translatable="false", no values-xx.'
    ),
    _error("manifest.authority.not-text", "3", "Use a name with dots, such as ${applicationId}.clawseed.tools."),
    _error("manifest.authority.characters", "3", "Use letters, digits, dots, _ and - only."),
    _warning("manifest.authority.untidy", "3", "Write the names with single semicolons between them and no blanks."),
    _error("manifest.authority.shared", "3", "Give every provider authorities of its own."),
    _warning("manifest.authority.half-fixed", "3", "Use ${applicationId} in both places, or in neither."),
    _warning("manifest.authority.fixed", "3", "Use ${applicationId}, so that two builds fit on one phone."),
    _error("manifest.authority.taken-twice", "3", "Begin authorities with the application id."),
)
_VERSION = (
    _error("manifest.version.missing", "9", 'Add <meta-data> com.clawseed.tools.version with android:value="1".'),
    _error("manifest.version.not-a-number", "9", "Write the protocol's version, a whole number: 1."),
    _warning("manifest.version.unknown", "9", "Write 1, unless your consumers are known to take this one."),
    _warning("manifest.version.list", "9", "Write the one version that is spoken: 1."),
    _error("manifest.version.literal", "9", "Write 1; other text survives the build only in a string resource."),
    _error("manifest.version.varies", "9", "Keep one version for all languages and devices."),
)
_PROVIDER = (
    _error("manifest.provider.not-exported", "3", 'Set android:exported="true" on the <provider>.'),
    _warning(
        "manifest.provider.exported-implied", "3", 'Write android:exported="true"; a newer target stops implying it.'
    ),
    _error("manifest.provider.disabled", "3", "Take android:enabled out; a disabled provider cannot be called."),
    _warning("manifest.provider.init-order", "11", 'Set android:initOrder="100", which some phones need.'),
    _error("manifest.permission.missing", "10", "Set android:permission to com.clawseed.permission.ACCESS_TOOLS."),
    _error("manifest.permission.misspelt", "10", "Write com.clawseed.permission.ACCESS_TOOLS."),
    _error("manifest.permission.other", "10", "Ask for com.clawseed.permission.ACCESS_TOOLS; check callers in code."),
    _error("manifest.permission.defined-by-provider", "10", "Take the <permission> out; keep android:permission."),
    _error("manifest.permission.defined-twice", "10", "Let exactly one app define it: the bridge."),
    _warning("manifest.permission.level", "10", 'Use protectionLevel="normal", or other makers\' apps never get it.'),
)
_CONSUMER = (
    _error("manifest.consumer.permission-missing", "10", "Add <uses-permission> com.clawseed.permission.ACCESS_TOOLS."),
    _error(
        "manifest.queries.missing", "3", "Add <queries><intent><action …/></intent></queries> beside <application>."
    ),
    _error("manifest.queries.misspelt", "3", "Write the action exactly so."),
    _error("manifest.queries.misplaced", "3", "Move <queries> out of <application>, directly into <manifest>."),
    _warning("manifest.queries.all-packages", "3", "Add <queries> for the action; stores refuse the broad permission."),
)
_TOOLS = (
    _error("tools.structure", "4.1", 'Send {"tools": [ … ]}.'),
    _warning("tools.empty", "4.1", "List at least one tool, or do not announce the provider."),
    _warning("tools.many", "12", "Offer fewer, broader tools: the agent has to choose a part of them."),
    _error("tools.too-many", "13.4", "Offer fewer, broader tools."),
    _error("tool.structure", "7", "Give every tool a name, a description and parameters."),
    _error("tool.name.missing", "7.1", 'Give it a short name such as "get_notes".'),
    _error("tool.name.unnameable", "8", "Use letters, digits and underscores."),
    _warning("tool.name.characters", "7.1", "Use A-Z a-z 0-9 _ - only, so that the name stays what it is."),
    _warning("tool.name.shortened", "8", "Shorten it, or models see a cut name with a hash."),
    _error("tool.name.duplicate", "7.1", "Give every tool of the provider its own name."),
    _error("tool.description.missing", "7.2", "Say in one or two sentences what it returns and when to use it."),
    _warning("tool.description.long", "7.2", "Keep it short; details belong to the parameters' descriptions."),
    _warning("tool.writes", "7.4", "Leave writing tools out of CETP v1, or name it by what it reads."),
)
_SCHEMA = (
    _error("tool.schema.root", "7.3", 'Describe an object: {"type":"object","properties":{ … }}.'),
    _warning("tool.schema.root-type-missing", "7.3", 'Add "type": "object"; vendors insist on it.'),
    _error(
        "tool.schema.invalid", "7.3", "Mend the keyword here; drafts before 2020-12 wrote some of them differently."
    ),
    _warning("tool.schema.draft", "7.3", "Write the schema in 2020-12 and leave $schema out."),
    _error("tool.schema.pattern", "7.3", "Use a plain ECMA-262 regular expression."),
    _warning("tool.schema.root-combinator", "7.3", "Make the members optional and say the rule in the description."),
    _warning(
        "tool.schema.root-reference", "7.3", "Write the object out at the root; some clients show no tool otherwise."
    ),
    _warning("tool.schema.boolean", "7.3", "Write a schema with a type; OpenAPI subsets know no booleans here."),
    _warning("tool.schema.type-list", "7.3", "Use one type and leave the member out of required instead of null."),
    _warning("tool.schema.never-null", "7.3", "Add null to the enum, or take it out of the type."),
    _warning(
        "tool.schema.empty-choice", "7.3", "Leave the member optional instead; some vendors refuse an empty choice."
    ),
    _warning("tool.schema.keyword", "7.3", "Say it in the description; vendors ignore or refuse the keyword."),
    _warning("tool.schema.required-unknown", "7.3", "Describe it in properties, or take it out of required."),
    _error("tool.schema.ref-remote", "7.3", "Put the schema into $defs; references are never fetched."),
    _error("tool.schema.ref-dangling", "7.3", "Define what it points to in $defs, or write the schema in its place."),
    _error("tool.schema.ref-loop", "7.3", "Let the reference end at a schema that says something."),
    _warning("tool.schema.ref-recursive", "7.3", "Limit the depth by hand if the tool must work with every model."),
    _error("tool.schema.ref-explosion", "12", "Define fewer levels that each use the next one several times."),
    _warning("tool.schema.deep", "12", "Flatten it; strict modes of vendors refuse deep schemas."),
    _error("tool.schema.too-deep", "13.4", "Flatten it."),
    _warning("tool.schema.large", "12", "Shorten enums and descriptions, or split the tool."),
    _error("tool.schema.too-large", "13.4", "Shorten enums and descriptions, or split the tool."),
    _error("tool.schema.too-many-references", "13.4", "Write small schemas in their place."),
)
_REPLIES = (
    _error("reply.structure", "5", "Put strings under the keys of a reply."),
    _error("reply.status", "5", 'Put "status" into the Bundle: "success" or "error".'),
    _warning("reply.mixed", "5", "Send data with success only, and the error keys with error only."),
    _error("reply.data.missing", "5.1", 'Put "data" into the Bundle, at least "null".'),
    _error("reply.data.not-text", "5.1", "Use putString with the JSON text."),
    _error("reply.data.not-json", "5.1", "Put JSON text there; plain text becomes a JSON string in quotes."),
    _warning("reply.data.encoded-twice", "5.1", "Put the object's own JSON there: call toString() once."),
    _error("reply.error-code.missing", "5.2", "Put one of the six codes there."),
    _error(
        "reply.error-code.unknown",
        "6",
        "Use one of the six codes, INTERNAL_ERROR when none fits; say more in the message.",
    ),
    _error("reply.error-message.missing", "5.2", "Say in a sentence what went wrong."),
    _warning("reply.error-message.empty", "5.2", "Say in a sentence what went wrong."),
    _warning("reply.authorisation.no-way", "5.3", "Add resolution_hint, authorize_intent or both."),
    _warning("reply.authorisation.misplaced", "5.3", "Answer AUTH_REQUIRED when the user can do something."),
    _warning("reply.authorisation.intent", "5.3", "Name an action that an exported activity of the app answers."),
    _error("reply.size.over", "12", "Page or filter: take a limit among the arguments and answer less."),
    _warning("reply.size.large", "12", "Page or filter, so that calls side by side fit."),
    _error("info.structure", "4.3", 'Send {"provider_name": …, "description": …, "scopes": [{"name": …}]}.'),
)

_ALL = (*_INPUT, *_JSON, *_DISCOVERY, *_AUTHORITY, *_VERSION, *_PROVIDER, *_CONSUMER, *_TOOLS, *_SCHEMA, *_REPLIES)
RULES: dict[str, Rule] = {rule.id: rule for rule in _ALL}
"""All rules by id, in the order in which an author meets them."""


def problem(rule: str, place: Place, message: str) -> Problem:
    """The problem that a rule found. An id that is not in the table is a fault of ours: KeyError."""
    row = RULES[rule]
    return Problem(
        place=place, rule=rule, severity=row.severity, message=message, section=row.section, advice=row.advice
    )
