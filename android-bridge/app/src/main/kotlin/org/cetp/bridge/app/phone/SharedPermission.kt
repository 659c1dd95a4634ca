package org.cetp.bridge.app.phone

import android.content.Context
import android.content.pm.PackageManager
import android.content.pm.PackageManager.NameNotFoundException
import android.content.pm.PermissionInfo
import android.os.Build
import org.cetp.bridge.app.prompts.appLabel
import org.cetp.bridge.doctor.PermissionFacts
import org.cetp.bridge.doctor.PermissionOwner
import org.cetp.bridge.protocol.CetpContract.Discovery

/** Who defines the shared permission, and whether this app holds it (spec 10). */
internal fun permissionFacts(context: Context): PermissionFacts = PermissionFacts(
    owner = definition(context.packageManager)?.let { owner(context, it) },
    granted = context.checkSelfPermission(Discovery.PERMISSION) == PackageManager.PERMISSION_GRANTED,
)

private fun definition(packages: PackageManager): PermissionInfo? = try {
    packages.getPermissionInfo(Discovery.PERMISSION, 0)
} catch (_: NameNotFoundException) {
    null
}

private fun owner(context: Context, permission: PermissionInfo) = PermissionOwner(
    packageName = permission.packageName,
    appName = appLabel(context.packageManager, permission.packageName),
    isBridge = permission.packageName == context.packageName,
    isNormal = protection(permission) == PermissionInfo.PROTECTION_NORMAL,
)

private fun protection(permission: PermissionInfo): Int =
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
        permission.protection
    } else {
        @Suppress("DEPRECATION")
        permission.protectionLevel and PermissionInfo.PROTECTION_MASK_BASE
    }
