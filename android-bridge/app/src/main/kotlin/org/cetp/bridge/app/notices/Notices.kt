package org.cetp.bridge.app.notices

import android.app.Notification
import android.app.NotificationManager
import android.app.PendingIntent
import android.content.Context
import android.graphics.drawable.Icon
import org.cetp.bridge.app.R
import kotlin.time.Duration

/** Shows notifications; none ever holds arguments or answers of a call. */
class Notices(private val context: Context) {
    private val manager = checkNotNull(context.getSystemService(NotificationManager::class.java))

    /** Whether the owner lets this app show notifications. */
    val areSeen: Boolean get() = manager.areNotificationsEnabled()

    /** To be called once in each process, and after a change of language. */
    fun declareChannels() {
        Channel.entries.forEach { it.declare(context, manager) }
    }

    /** Show a notice or replace it. @param tap what a tap on it does; opens this app when null. */
    fun show(
        channel: Channel,
        notice: Notice,
        title: String,
        text: String,
        tap: PendingIntent? = openThisApp(),
        button: Button? = null,
    ) {
        val builder = builder(channel, title, text, tap, button)
            .setAutoCancel(true)
            .setOnlyAlertOnce(true)
        manager.notify(notice.tag, notice.number, builder.build())
    }

    /**
     * Show that the owner is asked something. A locked screen shows only that somebody asks; a tap does not take it away,
     * since whoever has looked has not answered.
     *
     * @param within after so long it goes by itself.
     */
    fun ask(notice: Notice, title: String, text: String, tap: PendingIntent?, within: Duration?) {
        val channel = Channel.DECISIONS
        val anybody = context.getString(R.string.ask_locked)
        val locked = builder(channel, context.getString(R.string.app_name), anybody, tap).build()
        val builder = builder(channel, title, text, tap)
            .setVisibility(Notification.VISIBILITY_PRIVATE)
            .setPublicVersion(locked)
            .setOnlyAlertOnce(true)
        within?.let { builder.setTimeoutAfter(it.inWholeMilliseconds.coerceAtLeast(1)) }
        manager.notify(notice.tag, notice.number, builder.build())
    }

    /** Take a notice away, if it is there. */
    fun withdraw(notice: Notice) {
        manager.cancel(notice.tag, notice.number)
    }

    /** Replace the notice of the running service. */
    fun show(connection: Notification) {
        manager.notify(Notice.Connection.number, connection)
    }

    internal fun builder(
        channel: Channel,
        title: String,
        text: String,
        tap: PendingIntent? = openThisApp(),
        button: Button? = null,
    ): Notification.Builder {
        val builder = Notification.Builder(context, channel.id)
            .setSmallIcon(R.drawable.ic_notification)
            .setContentTitle(title)
            .setContentText(text)
            .setStyle(Notification.BigTextStyle().bigText(text))
            .setContentIntent(tap)
        button?.let { builder.addAction(it.action(context)) }
        return builder
    }

    private fun openThisApp(): PendingIntent? =
        context.packageManager.getLaunchIntentForPackage(context.packageName)
            ?.let { PendingIntent.getActivity(context, 0, it, FIXED) }

    /** @property label a string resource. */
    class Button(private val label: Int, private val press: PendingIntent) {
        internal fun action(context: Context): Notification.Action =
            Notification.Action.Builder(icon(context), context.getString(label), press).build()

        private fun icon(context: Context) = Icon.createWithResource(context, R.drawable.ic_notification)
    }

    companion object {
        /** Nobody who gets hold of such an intent can add to it. */
        const val FIXED: Int = PendingIntent.FLAG_IMMUTABLE or PendingIntent.FLAG_UPDATE_CURRENT
    }
}
