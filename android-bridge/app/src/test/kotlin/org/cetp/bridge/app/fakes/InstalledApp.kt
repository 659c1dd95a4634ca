package org.cetp.bridge.app.fakes

import android.content.ComponentName
import android.content.Intent
import android.content.IntentFilter
import android.content.pm.ActivityInfo
import android.content.pm.ApplicationInfo
import android.content.pm.PackageInfo
import android.content.pm.ProviderInfo
import android.content.pm.ServiceInfo
import android.content.pm.Signature
import android.content.pm.SigningInfo
import android.os.Build
import android.os.Bundle
import org.cetp.bridge.protocol.CetpContract.Discovery
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadow.api.Shadow
import org.robolectric.shadows.ShadowSigningInfo

/** Another app that the package manager knows. Every part may be changed before [install]. */
class InstalledApp(val packageName: String) {
    val authority = "$packageName.tools"
    var label = "App $packageName"
    var versionName: String? = "2.1"
    var signers = listOf("01")
    var pastSigners = emptyList<String>()
    val metaData = Bundle().apply {
        putString(Discovery.AUTHORITY, authority)
        putInt(Discovery.VERSION, 1)
    }
    val application = ApplicationInfo()
    val service = ServiceInfo()
    val provider = ProviderInfo()
    private val activities = mutableListOf<Pair<ActivityInfo, IntentFilter>>()

    init {
        application.packageName = packageName
        application.enabled = true
        service.name = "$packageName.ToolProviderService"
        service.exported = true
        provider.name = "$packageName.ToolProvider"
        provider.authority = authority
        provider.exported = true
        provider.enabled = true
        provider.readPermission = Discovery.PERMISSION
        provider.writePermission = Discovery.PERMISSION
        listOf(service, provider).forEach {
            it.packageName = packageName
            it.applicationInfo = application
        }
    }

    /** Give it a screen that opens by this action. @param launcher whether it is the one on the home screen. */
    fun screen(
        name: String,
        action: String,
        exported: Boolean = true,
        permission: String? = null,
        launcher: Boolean = false,
    ) {
        val activity = ActivityInfo()
        activity.name = "$packageName.$name"
        activity.packageName = packageName
        activity.applicationInfo = application
        activity.exported = exported
        activity.permission = permission
        val filter = IntentFilter(action)
        filter.addCategory(if (launcher) Intent.CATEGORY_LAUNCHER else Intent.CATEGORY_DEFAULT)
        activities += activity to filter
    }

    /** Install it, or put it in place of the one before. */
    fun install(): InstalledApp {
        val packages = shadowOf(RuntimeEnvironment.getApplication().packageManager)
        application.nonLocalizedLabel = label
        service.metaData = metaData
        packages.installPackage(packageInfo())
        packages.addOrUpdateService(service)
        packages.addOrUpdateProvider(provider)
        activities.forEach { (activity, _) -> packages.addOrUpdateActivity(activity) }
        packages.addIntentFilterForService(ComponentName(packageName, service.name), IntentFilter(Discovery.ACTION))
        activities.forEach { (activity, filter) -> packages.addIntentFilterForActivity(component(activity), filter) }
        return this
    }

    fun remove() {
        shadowOf(RuntimeEnvironment.getApplication().packageManager).removePackage(packageName)
    }

    @Suppress("DEPRECATION")
    private fun packageInfo() = PackageInfo().also {
        it.packageName = packageName
        it.versionName = versionName
        it.applicationInfo = application
        it.signatures = signers.map(::Signature).toTypedArray()
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) it.signingInfo = signingInfo()
    }

    private fun signingInfo(): SigningInfo = Shadow.newInstanceOf(SigningInfo::class.java).also {
        val shadow = Shadow.extract<ShadowSigningInfo>(it)
        shadow.setSignatures(signers.map(::Signature).toTypedArray())
        if (pastSigners.isNotEmpty()) {
            shadow.setPastSigningCertificates((pastSigners + signers).map(::Signature).toTypedArray())
        }
    }

    private fun component(activity: ActivityInfo) = ComponentName(packageName, activity.name)
}
