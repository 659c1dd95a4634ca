package org.cetp.bridge.app.providers

import android.content.ComponentName
import android.content.pm.PackageManager
import android.content.pm.ProviderInfo
import org.cetp.bridge.tools.AuthorityEntry

/** Reads which ContentProvider stands behind an authority, disabled ones too. */
class AuthorityReader(private val packages: PackageManager) {
    /** Null when no installed app has this authority, or none that this app may see. */
    fun read(authority: String): AuthorityEntry? {
        val provider = resolve(authority) ?: return null
        return AuthorityEntry(
            packageName = provider.packageName,
            authorities = provider.authority.orEmpty().split(';'),
            exported = provider.exported,
            permission = permissionToCall(provider),
            enabled = isEnabled(provider),
        )
    }

    /** The app that has this authority now; null as for [read]. */
    fun owner(authority: String): String? = resolve(authority)?.packageName

    private fun resolve(authority: String): ProviderInfo? =
        packages.resolveContentProvider(authority, PackageManager.MATCH_DISABLED_COMPONENTS)

    /** Android lets a caller in that holds either of the two, so one that is missing leaves the door open. */
    private fun permissionToCall(provider: ProviderInfo): String? =
        provider.readPermission.takeIf { provider.writePermission != null }

    private fun isEnabled(provider: ProviderInfo): Boolean {
        val component = ComponentName(provider.packageName, provider.name)
        return when (packages.getComponentEnabledSetting(component)) {
            PackageManager.COMPONENT_ENABLED_STATE_DEFAULT -> provider.isEnabled
            PackageManager.COMPONENT_ENABLED_STATE_ENABLED -> provider.applicationInfo.enabled
            else -> false
        }
    }
}
