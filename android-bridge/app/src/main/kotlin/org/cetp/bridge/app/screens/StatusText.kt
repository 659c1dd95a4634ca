package org.cetp.bridge.app.screens

import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.StopReason
import org.cetp.bridge.app.R
import kotlin.time.Duration

/** What the status screen shows. @property main the step forward, if there is one. @property other the step back. */
internal data class StatusView(
    val headline: Words,
    val detail: Words?,
    val tone: Tone,
    val main: StatusAction? = null,
    val other: StatusAction? = null,
)

/** What the buttons of the status screen do. */
internal enum class StatusAction(val label: Int) {
    CONNECT(R.string.state_connect),
    DISCONNECT(R.string.state_disconnect),
    TRY_NOW(R.string.state_try_now),
    PAIR(R.string.state_pair),
    PAIR_AGAIN(R.string.state_pair_again),
}

/** @param left until the next try, when the bridge waits. */
internal fun statusView(status: BridgeStatus, paired: Boolean, left: Duration): StatusView = when (status) {
    BridgeStatus.Off -> if (paired) off() else notPaired()
    is BridgeStatus.Connecting -> connecting(status.attempt)
    is BridgeStatus.Connected -> connected(status)
    is BridgeStatus.Waiting -> waiting(status, left)
    is BridgeStatus.Stopped -> stopped(status.reason)
}

private fun notPaired() =
    StatusView(said(R.string.state_not_paired), said(R.string.state_not_paired_detail), Tone.IDLE, StatusAction.PAIR)

private fun off() =
    StatusView(said(R.string.state_off), said(R.string.state_off_detail), Tone.IDLE, StatusAction.CONNECT)

private fun connecting(attempt: Int) = StatusView(
    headline = said(R.string.state_connecting),
    detail = if (attempt > 1) said(R.string.state_attempt, attempt) else null,
    tone = Tone.BUSY,
    other = StatusAction.DISCONNECT,
)

private fun connected(status: BridgeStatus.Connected): StatusView {
    val tools = when (status.tools) {
        0 -> said(R.string.state_no_tools)
        else -> Words.Counted(R.plurals.state_tools, status.tools)
    }
    val held = if (status.held > 0) Words.Counted(R.plurals.state_held, status.held) else null
    return StatusView(said(R.string.state_connected), lines(tools, held), Tone.GOOD, other = StatusAction.DISCONNECT)
}

private fun waiting(status: BridgeStatus.Waiting, left: Duration) = StatusView(
    headline = said(R.string.state_waiting),
    detail = lines(nextTry(left), said(R.string.reason, plain(status.because))),
    tone = Tone.WAITING,
    main = StatusAction.TRY_NOW,
    other = StatusAction.DISCONNECT,
)

private fun nextTry(left: Duration) =
    if (left > Duration.ZERO) said(R.string.state_next_try, lengthWords(left)) else said(R.string.state_next_try_now)

private fun stopped(reason: StopReason): StatusView {
    val (detail, main) = when (reason) {
        StopReason.TOKEN_REFUSED -> R.string.state_stopped_token to StatusAction.PAIR_AGAIN
        StopReason.NOT_ALLOWED -> R.string.state_stopped_not_allowed to StatusAction.CONNECT
        StopReason.REPLACED -> R.string.state_stopped_replaced to StatusAction.CONNECT
        StopReason.SENT_AWAY -> R.string.state_stopped_sent_away to StatusAction.CONNECT
        StopReason.CLEARTEXT_REFUSED -> R.string.state_stopped_cleartext to StatusAction.PAIR_AGAIN
    }
    return StatusView(said(R.string.state_stopped), said(detail), Tone.BAD, main)
}
