package org.cetp.bridge.app.service

import android.content.Context
import android.content.Intent
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import org.cetp.bridge.Bridge
import org.cetp.bridge.StopReason
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Channel
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.settings.SettingsStore

/** The owner's switch: what they want, the service that does it, and what stands in its way. */
class Connection(
    private val context: Context,
    private val settings: SettingsStore,
    private val notices: Notices,
    private val bridge: Bridge,
) {
    private val refused = MutableStateFlow<Refusal?>(null)
    private val mutableWanted = MutableStateFlow(settings.wished)

    /** Whether the service is to go on. It ends itself: Android kills an app whose service is ended before it has begun. */
    internal val wanted: StateFlow<Boolean> = mutableWanted

    /** Why the service did not start or had to end; null after it has started. Also shown as a notification. */
    val refusal: StateFlow<Refusal?> = refused

    /** Be connected to the gateway of the settings, now and after restarts; with a new gateway, there. */
    fun on() {
        settings.wished = true
        mutableWanted.value = true
        start()
    }

    /** Be away, and stay so. */
    fun off() {
        settings.wished = false
        notices.withdraw(Notice.Problem)
        refused.value = null
        mutableWanted.value = false
        bridge.disconnect()
    }

    /** The phone or this app has started anew: be connected if the owner wanted to be. */
    fun resume() {
        if (settings.wished) start()
    }

    private fun start() {
        try {
            context.startForegroundService(Intent(context, BridgeService::class.java))
        } catch (_: IllegalStateException) {
            // Since Android 12 a ForegroundServiceStartNotAllowedException, which is one.
            refuse(Refusal.BACKGROUND)
        }
    }

    internal fun started() {
        refused.value = null
        notices.withdraw(Notice.Problem)
    }

    internal fun refuse(reason: Refusal) {
        refused.value = reason
        tell(R.string.problem_start_refused, reason.text)
    }

    /** The bridge will not try again by itself, so the wish ends as well. */
    internal fun stopped(reason: StopReason) {
        settings.wished = false
        tell(R.string.problem_stopped, textOf(reason))
    }

    private fun tell(title: Int, text: Int) {
        notices.show(Channel.PROBLEMS, Notice.Problem, context.getString(title), context.getString(text))
    }
}
