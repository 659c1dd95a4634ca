package org.cetp.bridge.app

import android.content.pm.ApplicationInfo
import android.content.pm.ComponentInfo
import android.content.pm.PackageManager
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment

@RunWith(RobolectricTestRunner::class)
class ManifestTest {
    @Test
    fun `the bridge defines the permission that providers require`() {
        val app = RuntimeEnvironment.getApplication()
        val name = "com.clawseed.permission.ACCESS_TOOLS"
        val permission = app.packageManager.getPermissionInfo(name, PackageManager.GET_META_DATA)
        assertEquals("org.cetp.bridge", permission.packageName)
        assertEquals(app.getString(R.string.permission_label), permission.loadLabel(app.packageManager).toString())
    }

    @Requirement("cetp.2.2.uses-permission")
    @Test
    fun `the bridge asks for the permission that providers require`() {
        val app = RuntimeEnvironment.getApplication()
        val info = app.packageManager.getPackageInfo(app.packageName, PackageManager.GET_PERMISSIONS)
        assertTrue("com.clawseed.permission.ACCESS_TOOLS" in info.requestedPermissions.orEmpty())
    }

    @Test
    fun `the application is the one that builds the graph`() {
        assertEquals(BridgeApp::class.java, RuntimeEnvironment.getApplication().javaClass)
    }

    @Test
    fun `only what other apps and the home screen need is exported`() {
        val exported = components().filter { it.exported }.map { it.name.substringAfterLast('.') }
        assertEquals(setOf("StatusActivity", "PairingActivity"), exported.toSet())
    }

    @Test
    fun `nothing is backed up`() {
        val flags = RuntimeEnvironment.getApplication().applicationInfo.flags
        assertEquals(0, flags and ApplicationInfo.FLAG_ALLOW_BACKUP)
    }

    private fun components(): List<ComponentInfo> {
        val app = RuntimeEnvironment.getApplication()
        val found = app.packageManager.getPackageInfo(app.packageName, EVERYTHING)
        return listOf<Array<out ComponentInfo>?>(found.activities, found.services, found.receivers, found.providers)
            .flatMap { it.orEmpty().asList() }
    }

    private companion object {
        const val EVERYTHING = PackageManager.GET_ACTIVITIES or PackageManager.GET_SERVICES or
            PackageManager.GET_RECEIVERS or PackageManager.GET_PROVIDERS
    }
}
