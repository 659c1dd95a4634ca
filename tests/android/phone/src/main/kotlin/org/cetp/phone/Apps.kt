package org.cetp.phone

import android.content.ContentProvider
import android.content.Context
import android.content.Intent
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.ProviderInfo
import android.content.pm.Signature
import android.content.pm.SigningInfo
import android.net.Uri
import android.os.Build
import android.os.Process
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowContentResolver
import org.robolectric.shadows.ShadowPackageParser
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/**
 * The apps beside the bridge: real ones, read from their APKs by the framework's own parser, and packs. The providers of
 * all live in this process.
 */
class Apps(private val bridge: Context) {
    private val packages = shadowOf(bridge.packageManager)
    private val packProviders = ConcurrentHashMap<String, PackProvider>()

    init {
        // The caller of every provider is the bridge, under its own UID and certificate.
        sign(packages.getInternalMutablePackageInfo(bridge.packageName), "bridge")
        packages.setPackagesForUid(Process.myUid(), bridge.packageName)
    }

    /** Install an app as its APK declares it and start its providers; the context that its own code would have. */
    fun install(apk: Path, certificate: String): Context {
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
        tell(Intent.ACTION_PACKAGE_ADDED, parsed.packageName)
        return context
    }

    /** Install a pack, or another version of it. */
    fun install(pack: Pack) {
        val before = packProviders[pack.packageName]
        val manifest = PackManifest(pack)
        sign(manifest.info, pack.packageName)
        manifest.installIn(packages)
        if (before == null) {
            val provider = PackProvider(pack)
            packProviders[pack.packageName] = provider
            attach(provider, manifest.provider, bridge)
        } else {
            before.pack = pack
        }
        tell(if (before == null) Intent.ACTION_PACKAGE_ADDED else Intent.ACTION_PACKAGE_REPLACED, pack.packageName)
    }

    /** Remove a pack. */
    fun remove(packageName: String) {
        val provider = checkNotNull(packProviders.remove(packageName)) { "no $packageName here" }
        PackManifest(provider.pack).removeFrom(packages)
        provider.behave(Behaviour.WELL)
        tell(Intent.ACTION_PACKAGE_REMOVED, packageName)
    }

    /** The provider of an installed pack; throws IllegalStateException when there is none. */
    fun provider(
        packageName: String,
    ): PackProvider = checkNotNull(packProviders[packageName]) { "no $packageName here" }

    /** Let whatever hangs come back. */
    fun letGo() = packProviders.values.forEach { it.behave(Behaviour.WELL) }

    private fun start(declared: ProviderInfo, context: Context) {
        val provider = Class.forName(declared.name).getDeclaredConstructor().newInstance() as ContentProvider
        attach(provider, declared, context)
    }

    private fun attach(provider: ContentProvider, declared: ProviderInfo, context: Context) {
        provider.attachInfo(context, declared)
        declared.authority.split(';').forEach { ShadowContentResolver.registerProviderInternal(it, provider) }
    }

    private fun tell(action: String, packageName: String) =
        bridge.sendBroadcast(Intent(action, Uri.parse("package:$packageName")))

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
