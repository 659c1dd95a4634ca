package org.cetp.bridge.app.notices

import android.app.NotificationChannel
import android.app.NotificationManager
import android.content.Context
import org.cetp.bridge.app.R

/** The kinds of notifications that the owner can switch off one by one. */
enum class Channel(val id: String, private val title: Int, private val about: Int, private val importance: Int) {
    /** Silent: it only says that the service runs. */
    CONNECTION(
        "connection",
        R.string.channel_connection,
        R.string.channel_connection_about,
        NotificationManager.IMPORTANCE_LOW,
    ),
    REQUESTS(
        "requests",
        R.string.channel_requests,
        R.string.channel_requests_about,
        NotificationManager.IMPORTANCE_DEFAULT,
    ),

    /** Somebody waits, and not for long. */
    DECISIONS(
        "decisions",
        R.string.channel_decisions,
        R.string.channel_decisions_about,
        NotificationManager.IMPORTANCE_HIGH,
    ),
    PROBLEMS(
        "problems",
        R.string.channel_problems,
        R.string.channel_problems_about,
        NotificationManager.IMPORTANCE_DEFAULT,
    ),
    ;

    /** Tell the system of it; again after a change of language. */
    fun declare(context: Context, manager: NotificationManager) {
        val channel = NotificationChannel(id, context.getString(title), importance)
        channel.description = context.getString(about)
        manager.createNotificationChannel(channel)
    }
}
