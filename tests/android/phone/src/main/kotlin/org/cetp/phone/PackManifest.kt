package org.cetp.phone

import android.content.ComponentName
import android.content.Intent
import android.content.IntentFilter
import android.content.pm.ActivityInfo
import android.content.pm.ApplicationInfo
import android.content.pm.ComponentInfo
import android.content.pm.PackageInfo
import android.content.pm.ProviderInfo
import android.content.pm.ServiceInfo
import android.os.Bundle
import org.cetp.bridge.protocol.CetpContract.Discovery
import org.robolectric.shadows.ShadowPackageManager

/** What a pack's app would declare in its manifest (spec 3). */
class PackManifest(private val pack: Pack) {
    private val application = ApplicationInfo().also {
        it.packageName = pack.packageName
        it.nonLocalizedLabel = pack.label
        it.enabled = true
    }
    private val service = declared(ServiceInfo(), "ToolProviderService").also {
        it.metaData = Bundle().apply {
            putString(Discovery.AUTHORITY, "${pack.packageName}.tools")
            putInt(Discovery.VERSION, 1)
        }
    }
    private val authorize = declared(ActivityInfo(), "AuthorizeActivity")

    /** The provider that is called. */
    val provider = declared(ProviderInfo(), "ToolProvider").also {
        it.authority = "${pack.packageName}.tools"
        it.readPermission = Discovery.PERMISSION
        it.writePermission = Discovery.PERMISSION
    }

    val info = PackageInfo().also {
        it.packageName = pack.packageName
        it.versionName = pack.version
        it.applicationInfo = application
    }

    /** Make it known, or put it in place of the one before. */
    fun installIn(packages: ShadowPackageManager) {
        packages.installPackage(info)
        packages.addOrUpdateService(service)
        packages.addOrUpdateProvider(provider)
        packages.addIntentFilterForService(component(service), IntentFilter(Discovery.ACTION))
        val action = pack.authorisation?.text("intent") ?: return
        packages.addOrUpdateActivity(authorize)
        val filter = IntentFilter(action).apply { addCategory(Intent.CATEGORY_DEFAULT) }
        packages.addIntentFilterForActivity(component(authorize), filter)
    }

    /** Robolectric forgets filters only with their components, and cannot read those of packages that are gone. */
    fun removeFrom(packages: ShadowPackageManager) {
        packages.removeService(component(service))
        packages.removeActivity(component(authorize))
        packages.removePackage(pack.packageName)
    }

    private fun <T : ComponentInfo> declared(component: T, name: String): T = component.also {
        it.packageName = pack.packageName
        it.name = "${pack.packageName}.$name"
        it.applicationInfo = application
        it.exported = true
        it.enabled = true
    }

    private fun component(part: ComponentInfo) = ComponentName(part.packageName, part.name)
}
