package org.cetp.bridge.app.prompts

import android.app.PendingIntent
import android.content.Context
import kotlinx.coroutines.flow.Flow
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.screens.RequestScreen
import org.cetp.bridge.app.screens.effectOf
import org.cetp.bridge.app.screens.shown
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.Question
import org.cetp.bridge.protocol.RequestKey

/** Calls the owner to each request: a notice that leads to its screen, for as long as it waits for them. */
class RequestPrompt(private val context: Context, private val notices: Notices) {
    /** Follow the requests for as long as they are collected; afterwards no notice is left. */
    suspend fun follow(requests: Flow<PersonRequests>) {
        var shown = emptySet<RequestKey>()
        try {
            requests.collect { all ->
                val waiting = all.open.filter { it.answer == null }
                waiting.filterNot { it.key in shown }.forEach(::show)
                val keys = waiting.mapTo(HashSet()) { it.key }
                (shown - keys).forEach(::withdraw)
                shown = keys
            }
        } finally {
            shown.forEach(::withdraw)
        }
    }

    private fun show(open: OpenRequest) {
        val tap = PendingIntent.getActivity(context, 0, RequestScreen.opening(context, open.key), Notices.FIXED)
        notices.ask(Notice.Request(open.key), titleOf(open), textOf(open), tap, open.request.expiresIn)
    }

    private fun withdraw(key: RequestKey): Unit = notices.withdraw(Notice.Request(key))

    private fun titleOf(open: OpenRequest): String = when (val request = open.request) {
        is ApprovalRequest -> context.getString(R.string.ask_approval_title, shown(request.tool))
        is Question -> context.getString(R.string.ask_question_title)
    }

    private fun textOf(open: OpenRequest): String = when (val request = open.request) {
        is ApprovalRequest -> context.getString(effectOf(request.effect).second)
        is Question -> context.getString(R.string.ask_question_text)
    }
}
