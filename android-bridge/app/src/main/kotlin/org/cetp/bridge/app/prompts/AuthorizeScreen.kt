package org.cetp.bridge.app.prompts

import android.content.ComponentName
import android.content.Intent
import android.content.pm.ActivityInfo
import android.content.pm.PackageManager

/**
 * The screen that a provider named in `authorize_intent` (spec 5.3), to be opened when the owner says so.
 *
 * The provider gives a text and this makes the intent, for an exported activity of that same app whose filter has the
 * action. Null when there is none; so nothing else on the phone can be opened through it.
 */
fun authorizeScreen(packages: PackageManager, packageName: String, action: String): Intent? {
    if (action.isBlank() || action.length > LONGEST_ACTION) return null
    val wanted = Intent(action).setPackage(packageName)
    val activity = packages.queryIntentActivities(wanted, 0)
        .map { it.activityInfo }
        .firstOrNull { it.isOpenTo(packageName) }
        ?: return null
    return Intent(action)
        .setComponent(ComponentName(activity.packageName, activity.name))
        .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
}

/** One that asks for a permission could not be opened from a notification in any case. */
private fun ActivityInfo.isOpenTo(owner: String): Boolean =
    packageName == owner && exported && permission == null

private const val LONGEST_ACTION = 255
