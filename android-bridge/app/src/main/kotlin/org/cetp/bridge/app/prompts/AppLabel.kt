package org.cetp.bridge.app.prompts

import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import android.content.pm.PackageManager.NameNotFoundException

/** An app's name for people, on one short line; its package name when it has none or cannot be seen. */
internal fun appLabel(packages: PackageManager, packageName: String): String {
    val app = applicationInfo(packages, packageName) ?: return packageName
    val label = app.loadLabel(packages).take(LONGEST).filterNot(::breaksALine).trim()
    return label.ifEmpty { packageName }.toString()
}

private fun applicationInfo(packages: PackageManager, packageName: String): ApplicationInfo? = try {
    packages.getApplicationInfo(packageName, 0)
} catch (_: NameNotFoundException) {
    null
}

/** Control characters, and those that turn the direction of what stands around them. */
private fun breaksALine(character: Char): Boolean =
    character.isISOControl() || character.category == CharCategory.FORMAT || character in "\u2028\u2029"

private const val LONGEST = 60
