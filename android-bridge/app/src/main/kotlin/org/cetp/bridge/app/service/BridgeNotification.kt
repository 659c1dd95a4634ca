package org.cetp.bridge.app.service

import android.app.Notification
import android.app.PendingIntent
import android.content.Context
import android.os.Build
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Channel
import org.cetp.bridge.app.notices.Notices

/** The notification of the running service: how it stands, and a button to stop it. */
internal fun connectionNotification(context: Context, notices: Notices, status: BridgeStatus): Notification {
    val stop = PendingIntent.getService(context, 0, BridgeService.stopping(context), Notices.FIXED)
    val builder = notices.builder(
        Channel.CONNECTION,
        title = statusTitle(status, context.resources),
        text = statusDetail(status, context.resources),
        button = Notices.Button(R.string.action_stop, stop),
    )
    builder.setOngoing(true).setShowWhen(false).setCategory(Notification.CATEGORY_SERVICE)
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S) {
        builder.setForegroundServiceBehavior(Notification.FOREGROUND_SERVICE_IMMEDIATE)
    }
    return builder.build()
}
