package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.CallEffect
import org.cetp.bridge.protocol.Decision

/** What is shown of a call that waits for its owner. @property scopes what a yes may mean here. */
internal data class ApprovalView(
    val tool: Words,
    val effect: Words,
    val tone: Tone,
    val meaning: Words,
    val where: Words,
    val caller: Words?,
    val reason: Words?,
    val arguments: Words,
    val isCut: Boolean,
    val scopes: Set<ApprovalScope>,
)

internal fun approvalView(open: OpenRequest, request: ApprovalRequest): ApprovalView {
    val (badge, meaning) = effectOf(request.effect)
    return ApprovalView(
        tool = plain(request.tool),
        effect = said(badge),
        tone = toneOf(request.effect),
        meaning = said(meaning),
        where = whereOf(request),
        caller = callerWords(request.caller, request.session),
        reason = request.reason?.let { said(R.string.reason, plain(it)) },
        // Its own characters are visible already, and none of them may be left out.
        arguments = Words.Plain(request.arguments.text),
        isCut = !request.arguments.isWhole,
        scopes = ApprovalScope.entries.filterTo(mutableSetOf()) { open.takes(Decision.Allow(it)) },
    )
}

/** The word and the sentence for what a call does. */
internal fun effectOf(effect: CallEffect): Pair<Int, Int> = when (effect) {
    CallEffect.READS -> R.string.effect_reads to R.string.effect_reads_detail
    CallEffect.WRITES -> R.string.effect_writes to R.string.effect_writes_detail
    CallEffect.RUNS -> R.string.effect_runs to R.string.effect_runs_detail
    CallEffect.SENDS -> R.string.effect_sends to R.string.effect_sends_detail
    CallEffect.UNKNOWN -> R.string.effect_unknown to R.string.effect_unknown_detail
}

private fun toneOf(effect: CallEffect): Tone = when (effect) {
    CallEffect.READS -> Tone.GOOD
    CallEffect.WRITES, CallEffect.UNKNOWN -> Tone.WARNING
    CallEffect.RUNS, CallEffect.SENDS -> Tone.BAD
}

private fun whereOf(request: ApprovalRequest): Words {
    val device = request.device
    val app = request.app
    return when {
        device == null -> said(R.string.approval_at_gateway)
        app == null -> said(R.string.approval_on_device, plain(device))
        else -> said(R.string.approval_in_app, plain(device), plain(app))
    }
}
