package org.cetp.bridge.app.screens

import kotlinx.serialization.json.JsonObject
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.doctor.Grant
import org.cetp.bridge.doctor.NetworkFacts
import org.cetp.bridge.doctor.PermissionFacts
import org.cetp.bridge.doctor.PermissionOwner
import org.cetp.bridge.doctor.PhoneFacts
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.CallEffect
import org.cetp.bridge.protocol.ProviderInfo
import org.cetp.bridge.protocol.Question
import org.cetp.bridge.protocol.ShownArguments
import org.cetp.bridge.protocol.ToolSpec
import org.cetp.bridge.tools.Consent
import org.cetp.bridge.tools.ProviderProblem
import org.cetp.bridge.tools.ProviderState
import org.cetp.bridge.tools.ToolStanding
import org.cetp.bridge.tools.ToolState
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

internal val home = GatewayTarget("http://192.168.1.5:42617", "token", pin = null, deviceId = "d", deviceName = "Phone")

internal val goodPhone = PhoneFacts(
    providerApps = 3,
    permission = PermissionFacts(
        owner = PermissionOwner("org.cetp.bridge", "CETP Bridge", isBridge = true, isNormal = true),
        granted = true,
    ),
    network = NetworkFacts(connected = true, local = true),
    localNetwork = Grant.NOT_NEEDED,
    notifications = Grant.GRANTED,
    batteryExempt = true,
    backgroundRestricted = false,
)

internal fun tool(name: String, description: String, standing: ToolStanding = ToolStanding.Offered): ToolState =
    ToolState(name, ToolSpec(name, description, JsonObject(emptyMap())), "notes__$name", standing)

internal val notes = ProviderState(
    packageName = "com.example.notes",
    appName = "Notes",
    appVersion = "1.4",
    consent = Consent.ALLOWED,
    info = ProviderInfo(
        name = "Notes",
        description = "Finds and reads the notes on this phone.",
        scopes = listOf(ProviderInfo.Scope("titles", "The titles of all notes")),
    ),
    tools = listOf(
        tool("search_notes", "Finds notes by words in title or text, newest first; 20 a page."),
        tool("read_note", "The whole text of one note."),
        tool("delete_note", "Deletes a note for good.", ToolStanding.SaysItWrites("delete")),
        tool("list_tags", "All tags, most used first.", ToolStanding.HeldByGateway("its schema refers to a file")),
        ToolState("tag note", null, null, ToolStanding.Unusable("it has no description")),
    ),
    problem = null,
)

internal val weather = ProviderState(
    packageName = "org.example.weather",
    appName = "Weather",
    appVersion = "7.0.2",
    consent = Consent.NOT_ASKED,
    info = null,
    tools = emptyList(),
    problem = null,
)

internal val bank = ProviderState(
    packageName = "com.example.bank",
    appName = "Bank",
    appVersion = "12",
    consent = Consent.ALLOWED,
    info = null,
    tools = emptyList(),
    problem = ProviderProblem.NotReached("its process did not start"),
)

/** One call that ran on the sample's notes. @param startedAt milliseconds since 1970. */
internal fun call(
    id: String,
    tool: String,
    startedAt: Long,
    outcome: CallOutcome,
    arguments: String = "{}",
): CallRecord =
    CallRecord(
        id = id,
        tool = "notes__$tool",
        packageName = notes.packageName,
        startedAt = startedAt,
        took = if (outcome is CallOutcome.Running) null else 48.milliseconds,
        outcome = outcome,
        arguments = arguments,
        authorizeIntent = if (outcome == needsConsent) "com.example.notes.ALLOW" else null,
    )

internal val needsConsent = CallOutcome.Refused("AUTH_REQUIRED", "Allow the assistant to read your notes.")

/** Calls of a morning. @param now milliseconds since 1970. */
internal fun callsOfAMorning(now: Long): List<CallRecord> {
    val minute = 60_000
    val badArguments = CallOutcome.Refused("INVALID_ARGS", "id: a number is wanted.")
    return listOf(
        call("5", "read_note", now, CallOutcome.Running),
        call("4", "search_notes", now - minute, needsConsent, """{"query":"dentist"}"""),
        call("3", "search_notes", now - 4 * minute, CallOutcome.Answered(1830), """{"query":"rent","page":1}"""),
        call("2", "read_note", now - 9 * minute, CallOutcome.TimedOut),
        call("1", "read_note", now - 15 * minute, badArguments),
    )
}

/** A call that writes, on the sample's notes. @param until milliseconds since 1970. */
internal fun wantsToWrite(
    id: String = "a1",
    until: Long = 1_796_030_160_000L,
    scopes: Set<ApprovalScope> = ApprovalScope.entries.toSet(),
    arguments: ShownArguments = ShownArguments(
        "{\n  \"title\": \"Rent\",\n  \"text\": \"Paid on Friday, by transfer.\",\n  \"tags\": [\n    \"home\"\n  ]\n}",
        isWhole = true,
    ),
): OpenRequest = OpenRequest(
    ApprovalRequest(
        id = id,
        digest = "digest",
        tool = "notes__add_note",
        arguments = arguments,
        effect = CallEffect.WRITES,
        scopes = scopes,
        expiresIn = 2.minutes,
        reason = "It writes, and the session is supervised.",
        caller = "agent",
        device = "Phone",
        app = "com.example.notes",
        session = "household",
    ),
    until,
)

/** A model's question. @param others whether words are taken that are none of the options. */
internal fun wantsToKnow(
    id: String = "q1",
    others: Boolean = true,
    options: List<Question.Option> = listOf(
        Question.Option("Friday evening", "The hall is free, and everybody has time"),
        Question.Option("Saturday"),
    ),
): OpenRequest = OpenRequest(
    Question(
        id = id,
        text = "Which evening shall I write into the invitation?",
        options = options,
        otherAnswers = others,
        expiresIn = 2.minutes,
        caller = "agent",
    ),
    1_796_030_160_000L,
)

internal val waiting = BridgeStatus.Waiting(attempt = 3, pause = 24.seconds, because = "the gateway is restarting")
