package org.cetp.bridge.app.providers

import android.content.pm.PackageManager
import android.content.pm.PackageManager.NameNotFoundException
import android.content.pm.ServiceInfo
import android.content.res.Resources
import android.util.TypedValue
import org.cetp.bridge.protocol.CetpContract.Discovery

/**
 * The CETP meta-data of a service: a text, a whole number, or whatever else its author wrote; others are left alone.
 *
 * `android:value` has been resolved by the system; of `android:resource` it keeps the number of the resource only.
 */
internal fun readMetaData(service: ServiceInfo, packages: PackageManager): Map<String, Any?> {
    val found = service.metaData ?: return emptyMap()
    return listOf(Discovery.AUTHORITY, Discovery.VERSION).filter(found::containsKey).associateWith { key ->
        // The getters with a type would turn a text into a number that was never written.
        @Suppress("DEPRECATION")
        val value = found.get(key)
        if (value is Int && isResource(value)) resourceValue(value, service, packages) else value
    }
}

/** An app numbers its own resources from here on; no version of the protocol is that high. */
private fun isResource(number: Int): Boolean = number ushr PACKAGE_SHIFT == APP_RESOURCES

private fun resourceValue(id: Int, service: ServiceInfo, packages: PackageManager): Any? = try {
    val value = TypedValue()
    packages.getResourcesForApplication(service.applicationInfo).getValue(id, value, true)
    when (value.type) {
        TypedValue.TYPE_INT_DEC -> value.data
        else -> value.coerceToString()?.toString()
    }
} catch (_: NameNotFoundException) {
    id
} catch (_: Resources.NotFoundException) {
    id
}

private const val PACKAGE_SHIFT = 24
private const val APP_RESOURCES = 0x7f
