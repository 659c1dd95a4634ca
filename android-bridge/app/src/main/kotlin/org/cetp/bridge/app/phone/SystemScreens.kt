package org.cetp.bridge.app.phone

import android.content.Context
import android.content.Intent
import android.net.Uri
import android.provider.Settings

/** Asks the owner to let this app use the network while the phone sleeps. */
fun batteryExemptionRequest(context: Context): Intent =
    Intent(Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS, thisApp(context))

/** The system's page of this app. */
fun appSettings(context: Context): Intent = Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, thisApp(context))

/** The system's page of this app's notifications. */
fun notificationSettings(context: Context): Intent =
    Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS).putExtra(Settings.EXTRA_APP_PACKAGE, context.packageName)

private fun thisApp(context: Context): Uri = Uri.fromParts("package", context.packageName, null)
