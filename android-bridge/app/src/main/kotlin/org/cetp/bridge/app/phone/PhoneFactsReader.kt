package org.cetp.bridge.app.phone

import android.app.ActivityManager
import android.content.Context
import android.os.Build
import android.os.PowerManager
import org.cetp.bridge.app.providers.PackageScanner
import org.cetp.bridge.doctor.PhoneFacts

/** Asks Android for everything that the doctor judges. Takes as long as a scan of all apps: not for the main thread. */
class PhoneFactsReader(
    private val context: Context,
    private val scanner: PackageScanner = PackageScanner(context.packageManager),
) {
    /** How things stand at this moment. */
    fun read(): PhoneFacts = PhoneFacts(
        providerApps = scanner.services().distinctBy { it.packageName }.size,
        permission = permissionFacts(context),
        network = networkFacts(context),
        localNetwork = localNetworkGrant(context),
        notifications = notificationGrant(context),
        batteryExempt = isBatteryExempt(),
        backgroundRestricted = isBackgroundRestricted(),
    )

    private fun isBatteryExempt(): Boolean {
        val power = checkNotNull(context.getSystemService(PowerManager::class.java))
        return power.isIgnoringBatteryOptimizations(context.packageName)
    }

    private fun isBackgroundRestricted(): Boolean {
        val activities = checkNotNull(context.getSystemService(ActivityManager::class.java))
        return Build.VERSION.SDK_INT >= Build.VERSION_CODES.P && activities.isBackgroundRestricted
    }
}
