package org.cetp.phone

import android.content.Context
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager.ComponentInfoFlags
import android.content.pm.ProviderInfo
import android.content.res.Resources
import android.os.Build
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowApplicationPackageManager

/** What Robolectric's package manager lacks: a newer form of a question, and the resources of other apps. */
@Implements(className = "android.app.ApplicationPackageManager", isInAndroidSdk = false)
class CompletePackageManager : ShadowApplicationPackageManager() {
    @Implementation(minSdk = Build.VERSION_CODES.TIRAMISU)
    fun resolveContentProvider(name: String, flags: ComponentInfoFlags): ProviderInfo? =
        resolveContentProvider(name, flags.value.toInt())

    @Implementation
    public override fun getResourcesForApplication(app: ApplicationInfo): Resources =
        getResourcesForApplication(app.packageName)

    @Implementation
    public override fun getResourcesForApplication(packageName: String): Resources =
        RuntimeEnvironment.getApplication().createPackageContext(packageName, Context.CONTEXT_IGNORE_SECURITY).resources
}
