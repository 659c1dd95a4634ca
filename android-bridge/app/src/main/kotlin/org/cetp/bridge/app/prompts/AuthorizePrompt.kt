package org.cetp.bridge.app.prompts

import android.app.PendingIntent
import android.content.Context
import kotlinx.coroutines.flow.Flow
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Channel
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.service.BridgeService
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.journal.CallRecord

/** Offers the owner the provider's own screen when a call was answered with `AUTH_REQUIRED` (spec 5.3). */
class AuthorizePrompt(private val context: Context, private val notices: Notices, private val limit: PromptLimit) {
    /** Follow the journal for as long as it is collected. The last finished call of an app says how it stands with it. */
    suspend fun follow(calls: Flow<List<CallRecord>>) {
        var told = emptyMap<String, String>()
        calls.collect { journal ->
            val last = lastFinished(journal)
            last.forEach { (packageName, call) -> if (told[packageName] != call.id) tell(packageName, call) }
            told = last.mapValues { (_, call) -> call.id }
        }
    }

    private fun tell(packageName: String, call: CallRecord) {
        val action = call.authorizeIntent
        when {
            action != null -> show(packageName, action, call.id)
            call.outcome is CallOutcome.Answered -> withdraw(packageName)
        }
    }

    private fun show(packageName: String, action: String, callId: String) {
        val screen = authorizeScreen(context.packageManager, packageName, action) ?: return
        if (!limit.allows(packageName)) return
        notices.show(
            Channel.REQUESTS,
            Notice.Authorize(packageName),
            title = context.getString(R.string.authorize_title, appLabel(context.packageManager, packageName)),
            text = context.getString(R.string.authorize_text),
            tap = PendingIntent.getActivity(context, 0, screen, Notices.FIXED),
            button = Notices.Button(R.string.authorize_repeat, BridgeService.repeating(context, packageName, callId)),
        )
    }

    private fun withdraw(packageName: String) {
        limit.forget(packageName)
        notices.withdraw(Notice.Authorize(packageName))
    }
}

/** Journals are newest first. */
private fun lastFinished(journal: List<CallRecord>): Map<String, CallRecord> = buildMap {
    journal.filterNot { it.outcome is CallOutcome.Running }
        .forEach { call -> call.packageName?.let { if (it !in this) put(it, call) } }
}
