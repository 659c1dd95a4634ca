package org.cetp.bridge.app.service

import android.content.res.Resources
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.StopReason
import org.cetp.bridge.app.R

/** The line of the service's notification. What the network said (`Waiting.because`) is for the app's own screens. */
internal fun statusTitle(status: BridgeStatus, resources: Resources): String = when (status) {
    BridgeStatus.Off -> resources.getString(R.string.status_off)
    is BridgeStatus.Connecting -> resources.getString(R.string.status_connecting)
    is BridgeStatus.Connected -> resources.getQuantityString(R.plurals.status_connected, status.tools, status.tools)
    is BridgeStatus.Waiting -> resources.getString(R.string.status_waiting)
    is BridgeStatus.Stopped -> resources.getString(R.string.problem_stopped)
}

/** The line below it; empty when there is nothing to add. */
internal fun statusDetail(status: BridgeStatus, resources: Resources): String = when (status) {
    is BridgeStatus.Connected -> held(status.held, resources)
    is BridgeStatus.Stopped -> resources.getString(textOf(status.reason))
    BridgeStatus.Off, is BridgeStatus.Connecting, is BridgeStatus.Waiting -> ""
}

private fun held(count: Int, resources: Resources): String =
    if (count == 0) "" else resources.getQuantityString(R.plurals.status_connected_held, count, count)

/** The string resource that says why, and what to do. */
internal fun textOf(reason: StopReason): Int = when (reason) {
    StopReason.TOKEN_REFUSED -> R.string.stopped_token_refused
    StopReason.NOT_ALLOWED -> R.string.stopped_not_allowed
    StopReason.REPLACED -> R.string.stopped_replaced
    StopReason.SENT_AWAY -> R.string.stopped_sent_away
    StopReason.CLEARTEXT_REFUSED -> R.string.stopped_cleartext_refused
}
