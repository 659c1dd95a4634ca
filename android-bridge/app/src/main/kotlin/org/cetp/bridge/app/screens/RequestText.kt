package org.cetp.bridge.app.screens

import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.person.EndedRequest
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.RequestEnd

/** How it stands with a request; null while it simply waits for the owner. @param ended how it ended, if that is known. */
internal fun stateOf(open: OpenRequest?, ended: EndedRequest?, status: BridgeStatus): Words? {
    val isConnected = status is BridgeStatus.Connected
    val refusal = open?.refusal
    return when {
        open == null -> endOf(ended)
        open.answer != null -> said(if (isConnected) R.string.request_sending else R.string.request_kept)
        refusal != null -> lines(said(R.string.request_not_taken), plain(refusal).takeIf { refusal.isNotEmpty() })
        isConnected -> null
        else -> said(R.string.request_no_connection)
    }
}

private fun endOf(ended: EndedRequest?): Words {
    val end = said(if (ended == null) R.string.request_closed else wordOf(ended.end))
    return lines(end, ended?.by?.let { said(R.string.request_by, plain(it)) })
}

private fun wordOf(end: RequestEnd): Int = when (end) {
    RequestEnd.ALLOWED -> R.string.request_allowed
    RequestEnd.DENIED -> R.string.request_denied
    RequestEnd.ANSWERED -> R.string.request_answered
    RequestEnd.DECLINED -> R.string.request_declined
    RequestEnd.EXPIRED -> R.string.request_expired
    RequestEnd.CANCELLED -> R.string.request_cancelled
    RequestEnd.CLOSED -> R.string.request_closed
    RequestEnd.NOT_ALLOWED -> R.string.request_not_allowed
}

/** Who asks. @param caller the entrance that the call or turn came by. */
internal fun callerWords(caller: String?, session: String?): Words? {
    val who = when (caller) {
        null -> return null
        "agent" -> said(R.string.caller_agent)
        "rest" -> said(R.string.caller_rest)
        else -> plain(caller)
    }
    return if (session == null) said(R.string.caller, who) else said(R.string.caller_in_session, who, plain(session))
}
