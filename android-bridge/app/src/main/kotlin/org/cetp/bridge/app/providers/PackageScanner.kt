package org.cetp.bridge.app.providers

import android.content.Intent
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.PackageManager.NameNotFoundException
import android.content.pm.ServiceInfo
import org.cetp.bridge.protocol.CetpContract.Discovery
import org.cetp.bridge.tools.ServiceEntry

/** Reads from the package manager what apps declare of themselves (spec 3); judges none of it. */
class PackageScanner(private val packages: PackageManager) {
    private val authorities = AuthorityReader(packages)

    /** Every service with the CETP action. An app that is removed while this runs is left out. */
    fun services(): List<ServiceEntry> =
        packages.queryIntentServices(Intent(Discovery.ACTION), PackageManager.GET_META_DATA)
            .mapNotNull { entry(it.serviceInfo) }

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
        packages.getPackageInfo(name, SIGNER_FLAGS)
    } catch (_: NameNotFoundException) {
        null
    }
}
