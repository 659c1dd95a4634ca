package org.cetp.bridge.app

import android.content.pm.PackageManager
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment

@RunWith(RobolectricTestRunner::class)
class ManifestTest {
    @Test
    fun `the bridge defines the permission that providers require`() {
        val app = RuntimeEnvironment.getApplication()
        val permission = app.packageManager.getPermissionInfo("com.clawseed.permission.ACCESS_TOOLS", PackageManager.GET_META_DATA)
        assertEquals("org.cetp.bridge", permission.packageName)
        assertEquals(app.getString(R.string.permission_label), permission.loadLabel(app.packageManager).toString())
    }
}
