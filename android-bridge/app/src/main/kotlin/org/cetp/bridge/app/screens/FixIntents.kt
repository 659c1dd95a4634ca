package org.cetp.bridge.app.screens

import android.content.Context
import android.content.Intent
import android.os.Build
import android.provider.Settings
import org.cetp.bridge.app.phone.RuntimePermission
import org.cetp.bridge.app.phone.appSettings
import org.cetp.bridge.app.phone.batteryExemptionRequest
import org.cetp.bridge.app.phone.notificationSettings
import org.cetp.bridge.doctor.Fix

/** The permission that a fix asks for, on versions of Android that have it; null when it is no permission. */
internal fun permissionOf(fix: Fix): String? = when (fix) {
    Fix.ALLOW_NOTIFICATIONS ->
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) RuntimePermission.NOTIFICATIONS else null
    Fix.ALLOW_LOCAL_NETWORK -> RuntimePermission.LOCAL_NETWORK
    Fix.EXEMPT_FROM_BATTERY,
    Fix.OPEN_APP_SETTINGS,
    Fix.OPEN_NETWORK_SETTINGS,
    Fix.OPEN_DATE_SETTINGS,
    Fix.PAIR,
    -> null
}

/** The screens on which a fix is done, the best first; a phone may lack some of them. */
internal fun fixIntents(context: Context, fix: Fix): List<Intent> = when (fix) {
    Fix.ALLOW_NOTIFICATIONS -> listOf(notificationSettings(context), appSettings(context))
    Fix.EXEMPT_FROM_BATTERY -> listOf(
        batteryExemptionRequest(context),
        Intent(Settings.ACTION_IGNORE_BATTERY_OPTIMIZATION_SETTINGS),
        appSettings(context),
    )
    Fix.ALLOW_LOCAL_NETWORK, Fix.OPEN_APP_SETTINGS -> listOf(appSettings(context))
    Fix.OPEN_NETWORK_SETTINGS -> listOf(Intent(Settings.ACTION_WIFI_SETTINGS), Intent(Settings.ACTION_SETTINGS))
    Fix.OPEN_DATE_SETTINGS -> listOf(Intent(Settings.ACTION_DATE_SETTINGS), Intent(Settings.ACTION_SETTINGS))
    Fix.PAIR -> listOf(Intent(context, PairingActivity::class.java))
}
