package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.protocol.ErrorCode
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** What is shown of one call; its arguments only after a touch. @property authorise the app asked to be authorised. */
internal data class CallView(
    val tool: Words,
    val app: Words?,
    val badge: Words,
    val tone: Tone,
    val detail: Words?,
    val took: Words?,
    val arguments: Words,
    val authorise: Boolean,
)

/** @param appName of the provider, when it is still installed. */
internal fun callView(call: CallRecord, appName: String?): CallView = CallView(
    tool = plain(call.tool),
    app = (appName ?: call.packageName)?.let(::plain),
    badge = badgeOf(call.outcome),
    tone = toneOf(call.outcome),
    detail = detailOf(call.outcome),
    took = call.took?.let(::tookWords),
    arguments = Words.Plain(shown(call.arguments, MAX_ARGUMENTS)),
    authorise = needsAuthorising(call.outcome),
)

private fun needsAuthorising(outcome: CallOutcome): Boolean =
    outcome is CallOutcome.Refused && outcome.code == ErrorCode.AUTH_REQUIRED.name

private fun badgeOf(outcome: CallOutcome): Words = when (outcome) {
    CallOutcome.Running -> said(R.string.call_running)
    is CallOutcome.Answered -> said(R.string.call_answered)
    is CallOutcome.Refused -> said(refusalOf(outcome.code))
    CallOutcome.TimedOut -> said(R.string.call_timed_out)
    CallOutcome.Cancelled -> said(R.string.call_cancelled)
}

/** The code is the provider's own text, so it may be any. */
private fun refusalOf(code: String): Int = when (ErrorCode.entries.find { it.name == code }) {
    ErrorCode.AUTH_REQUIRED -> R.string.call_auth_required
    ErrorCode.PERMISSION_DENIED -> R.string.call_permission_denied
    ErrorCode.TOOL_NOT_FOUND -> R.string.call_tool_not_found
    ErrorCode.INVALID_ARGS -> R.string.call_invalid_args
    ErrorCode.RATE_LIMITED -> R.string.call_rate_limited
    ErrorCode.INTERNAL_ERROR, null -> R.string.call_failed
}

private fun toneOf(outcome: CallOutcome): Tone = when (outcome) {
    CallOutcome.Running -> Tone.BUSY
    is CallOutcome.Answered -> Tone.GOOD
    is CallOutcome.Refused -> if (needsAuthorising(outcome)) Tone.WARNING else Tone.BAD
    CallOutcome.TimedOut -> Tone.BAD
    CallOutcome.Cancelled -> Tone.IDLE
}

private fun detailOf(outcome: CallOutcome): Words? = when (outcome) {
    CallOutcome.Running -> null
    is CallOutcome.Answered -> Words.Counted(R.plurals.call_characters, outcome.characters)
    is CallOutcome.Refused -> said(R.string.call_refused_detail, plain(outcome.code), plain(outcome.message))
    CallOutcome.TimedOut -> said(R.string.call_timed_out_detail)
    CallOutcome.Cancelled -> said(R.string.call_cancelled_detail)
}

private fun tookWords(took: Duration): Words =
    if (took < 1.seconds) {
        said(R.string.milliseconds, took.inWholeMilliseconds)
    } else {
        said(R.string.seconds_short, took.inWholeMilliseconds / 1000.0)
    }

private const val MAX_ARGUMENTS = 4000
