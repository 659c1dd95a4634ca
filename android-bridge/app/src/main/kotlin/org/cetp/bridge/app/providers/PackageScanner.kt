package org.cetp.bridge.app.providers

import android.content.Intent
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.PackageManager.NameNotFoundException
import android.content.pm.PackageManager.PackageInfoFlags
import android.content.pm.PackageManager.ResolveInfoFlags
import android.content.pm.ResolveInfo
import android.content.pm.ServiceInfo
import android.os.Build
import org.cetp.bridge.protocol.CetpContract.Discovery
import org.cetp.bridge.tools.ServiceEntry

/** Reads from the package manager what apps declare of themselves (spec 3); judges none of it. */
class PackageScanner(private val packages: PackageManager) {
    private val authorities = AuthorityReader(packages)

    /** Every service with the CETP action. An app that is removed while this runs is left out. */
    fun services(): List<ServiceEntry> = resolved().mapNotNull { entry(it.serviceInfo) }

    private fun resolved(): List<ResolveInfo> {
        val intent = Intent(Discovery.ACTION)
        return if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            packages.queryIntentServices(intent, ResolveInfoFlags.of(PackageManager.GET_META_DATA.toLong()))
        } else {
            @Suppress("DEPRECATION")
            packages.queryIntentServices(intent, PackageManager.GET_META_DATA)
        }
    }

    private fun entry(service: ServiceInfo): ServiceEntry? {
        val app = packageInfo(service.packageName) ?: return null
        val metaData = readMetaData(service, packages)
        return ServiceEntry(
            packageName = service.packageName,
            serviceName = service.name,
            exported = service.exported,
            appName = service.applicationInfo.loadLabel(packages).toString(),
            appVersion = app.versionName ?: "",
            metaData = metaData,
            authority = (metaData[Discovery.AUTHORITY] as? String)?.let(authorities::read),
            signer = currentSigner(app) ?: return null,
        )
    }

    private fun packageInfo(name: String): PackageInfo? = try {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            packages.getPackageInfo(name, PackageInfoFlags.of(SIGNER_FLAGS.toLong()))
        } else {
            @Suppress("DEPRECATION")
            packages.getPackageInfo(name, SIGNER_FLAGS)
        }
    } catch (_: NameNotFoundException) {
        null
    }
}
