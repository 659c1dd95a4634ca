package org.cetp.bridge.app.service

import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import org.cetp.bridge.app.graph

/** Connects again after the phone was started or this app was updated, if the owner was connected. */
class BootReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        if (intent.action in OCCASIONS) context.graph.connection.resume()
    }

    private companion object {
        val OCCASIONS = setOf(Intent.ACTION_BOOT_COMPLETED, Intent.ACTION_MY_PACKAGE_REPLACED)
    }
}
