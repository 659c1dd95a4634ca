package com.example.notes.screens

import android.content.Context
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import android.graphics.drawable.Drawable
import com.example.notes.cetp.Caller

/**
 * How a caller is shown. Its name and icon are whatever that app says, so packages and certificate stand beside them.
 *
 * @property label on one line, cut short.
 */
internal class CallerFace(val label: String, val icon: Drawable, val packages: String, val certificate: String) {
    companion object {
        private const val LABEL_CHARS = 60

        /** An app that is gone, or that Android does not show us any more, appears under its package. */
        fun of(context: Context, caller: Caller): CallerFace {
            val packageManager = context.packageManager
            val apps = caller.packages.mapNotNull { packageManager.applicationOrNull(it) }
            return CallerFace(
                label = apps.joinToString { oneLine(it.loadLabel(packageManager)) }
                    .ifEmpty { caller.packages.joinToString() },
                icon = apps.firstOrNull()?.loadIcon(packageManager) ?: packageManager.defaultActivityIcon,
                packages = caller.packages.joinToString("\n"),
                certificate = caller.certificate.split('+').joinToString("\n\n", transform = ::grouped),
            )
        }

        private fun PackageManager.applicationOrNull(name: String): ApplicationInfo? = try {
            getApplicationInfo(name, 0)
        } catch (_: PackageManager.NameNotFoundException) {
            null
        }

        /** Control and format characters could turn the sentence around the name. */
        private fun oneLine(label: CharSequence): String =
            label.filterNot { it.isISOControl() || it.category == CharCategory.FORMAT }.take(LABEL_CHARS).toString()

        /** In pairs, as other tools print fingerprints, with spaces at which a line may end. */
        private fun grouped(certificate: String): String =
            certificate.uppercase().chunked(2).chunked(4).joinToString(" ") { it.joinToString(":") }
    }
}
