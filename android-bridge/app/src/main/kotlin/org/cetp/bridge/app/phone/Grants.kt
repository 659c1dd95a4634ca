package org.cetp.bridge.app.phone

import android.app.NotificationManager
import android.content.Context
import android.content.pm.PackageManager
import android.os.Build
import org.cetp.bridge.doctor.Grant

/** The permissions that the owner gives while the app runs. */
object RuntimePermission {
    /** Since Android 13, to show notifications. */
    const val NOTIFICATIONS: String = "android.permission.POST_NOTIFICATIONS"

    /** Since Android 17, for apps that target it, to reach addresses of the house. */
    const val LOCAL_NETWORK: String = "android.permission.ACCESS_LOCAL_NETWORK"
}

/** What stands between this app and the local network. Only apps that target Android 17 are asked for it there. */
internal fun localNetworkGrant(context: Context): Grant = when {
    minOf(Build.VERSION.SDK_INT, context.applicationInfo.targetSdkVersion) < ANDROID_17 -> Grant.NOT_NEEDED
    holds(context, RuntimePermission.LOCAL_NETWORK) -> Grant.GRANTED
    else -> Grant.MISSING
}

/** Whether notifications are seen; the owner can switch them off on every version. */
internal fun notificationGrant(context: Context): Grant {
    val manager = checkNotNull(context.getSystemService(NotificationManager::class.java))
    return when {
        !manager.areNotificationsEnabled() -> Grant.MISSING
        Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU -> Grant.NOT_NEEDED
        else -> Grant.GRANTED
    }
}

private fun holds(context: Context, permission: String): Boolean =
    context.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED

private const val ANDROID_17 = 37
