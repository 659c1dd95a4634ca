package org.cetp.bridge.app.screens

import android.Manifest
import android.annotation.SuppressLint
import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Build
import android.provider.Settings
import org.cetp.bridge.doctor.Fix

/** The permission that a fix asks for, on versions of Android that have it; null when it is no permission. */
internal fun permissionOf(fix: Fix): String? = when (fix) {
    Fix.ALLOW_NOTIFICATIONS ->
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) Manifest.permission.POST_NOTIFICATIONS else null
    Fix.ALLOW_LOCAL_NETWORK -> LOCAL_NETWORK
    Fix.EXEMPT_FROM_BATTERY,
    Fix.OPEN_APP_SETTINGS,
    Fix.OPEN_NETWORK_SETTINGS,
    Fix.OPEN_DATE_SETTINGS,
    Fix.PAIR,
    -> null
}

/** The screens on which a fix is done, the best first; a phone may lack some of them. */
internal fun fixIntents(context: Context, fix: Fix): List<Intent> {
    val appPage = Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, packageUri(context))
    return when (fix) {
        Fix.ALLOW_NOTIFICATIONS -> listOf(
            Intent(Settings.ACTION_APP_NOTIFICATION_SETTINGS).putExtra(Settings.EXTRA_APP_PACKAGE, context.packageName),
            appPage,
        )
        Fix.EXEMPT_FROM_BATTERY -> listOf(askForExemption(context), Intent(Settings.ACTION_IGNORE_BATTERY_OPTIMIZATION_SETTINGS), appPage)
        Fix.ALLOW_LOCAL_NETWORK, Fix.OPEN_APP_SETTINGS -> listOf(appPage)
        Fix.OPEN_NETWORK_SETTINGS -> listOf(Intent(Settings.ACTION_WIFI_SETTINGS), Intent(Settings.ACTION_SETTINGS))
        Fix.OPEN_DATE_SETTINGS -> listOf(Intent(Settings.ACTION_DATE_SETTINGS), Intent(Settings.ACTION_SETTINGS))
        Fix.PAIR -> listOf(Intent(context, PairingActivity::class.java))
    }
}

/** A permanent connection to a box at home is what the exemption is for: nothing can push to this phone instead. */
@SuppressLint("BatteryLife")
private fun askForExemption(context: Context) =
    Intent(Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS, packageUri(context))

private fun packageUri(context: Context): Uri = Uri.fromParts("package", context.packageName, null)

/** Of Android 17; older frameworks have no constant for it. */
private const val LOCAL_NETWORK = "android.permission.ACCESS_LOCAL_NETWORK"
