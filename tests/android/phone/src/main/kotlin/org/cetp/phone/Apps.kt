package org.cetp.phone

import android.content.ContentProvider
import android.content.Context
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.ProviderInfo
import android.content.pm.Signature
import android.content.pm.SigningInfo
import android.os.Build
import android.os.Process
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowContentResolver
import org.robolectric.shadows.ShadowPackageParser
import java.nio.file.Path

/** The apps beside the bridge: read from their APKs by the framework's own parser, their providers in this process. */
class Apps(private val bridge: Context) {
    private val packages = shadowOf(bridge.packageManager)

    init {
        // The caller of every provider is the bridge, under its own UID and certificate.
        sign(packages.getInternalMutablePackageInfo(bridge.packageName), "bridge")
        packages.setPackagesForUid(Process.myUid(), bridge.packageName)
    }

    /** Install an app as its APK declares it and start its providers. */
    fun install(apk: Path, certificate: String) {
        val parsed = ShadowPackageParser.callParsePackage(apk)
        packages.addPackageInternal(parsed)
        val info = packages.getInternalMutablePackageInfo(parsed.packageName)
        checkNotNull(info.applicationInfo).apply {
            sourceDir = apk.toString()
            publicSourceDir = apk.toString()
        }
        sign(info, certificate)
        val context = bridge.createPackageContext(parsed.packageName, Context.CONTEXT_IGNORE_SECURITY)
        val declared = bridge.packageManager.getPackageInfo(parsed.packageName, PackageManager.GET_PROVIDERS)
        declared.providers.orEmpty().forEach { start(it, context) }
    }

    private fun start(declared: ProviderInfo, context: Context) {
        val provider = Class.forName(declared.name).getDeclaredConstructor().newInstance() as ContentProvider
        provider.attachInfo(context, declared)
        declared.authority.split(';').forEach { ShadowContentResolver.registerProviderInternal(it, provider) }
    }

    @Suppress("DEPRECATION")
    private fun sign(info: PackageInfo, certificate: String) {
        val signature = Signature(certificate.toByteArray())
        info.signatures = arrayOf(signature)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
            info.signingInfo = SigningInfo::class.java.getDeclaredConstructor().newInstance()
            shadowOf(info.signingInfo).setSignatures(arrayOf(signature))
        }
    }
}
