package org.cetp.bridge.app.prompts

import android.app.PendingIntent
import android.content.Context
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Channel
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.notices.Notices

/** Asks the owner to open an app that could not be started (spec 11); the bridge itself opens nothing. */
class WakePrompt(private val context: Context, private val notices: Notices, private val limit: PromptLimit) {
    /** Show it, unless the app cannot be opened or was asked for a short while ago. */
    fun show(packageName: String) {
        val open = context.packageManager.getLaunchIntentForPackage(packageName) ?: return
        if (!limit.allows(packageName)) return
        notices.show(
            Channel.REQUESTS,
            Notice.Wake(packageName),
            title = context.getString(R.string.wake_title, appLabel(context.packageManager, packageName)),
            text = context.getString(R.string.wake_text),
            tap = PendingIntent.getActivity(context, 0, open, Notices.FIXED),
        )
    }

    /** The app has answered. */
    fun withdraw(packageName: String) {
        limit.forget(packageName)
        notices.withdraw(Notice.Wake(packageName))
    }
}
