package org.cetp.bridge.app.phone

import android.app.ActivityManager
import android.app.NotificationManager
import android.content.pm.PermissionInfo
import android.net.ConnectivityManager
import android.net.NetworkCapabilities
import android.os.Build
import android.os.PowerManager
import org.cetp.bridge.app.fakes.InstalledApp
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.doctor.Grant
import org.cetp.bridge.doctor.NetworkFacts
import org.cetp.bridge.doctor.PermissionOwner
import org.cetp.bridge.protocol.CetpContract.Discovery
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowNetworkCapabilities

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class PhoneFactsReaderTest {
    private val app = RuntimeEnvironment.getApplication()
    private val reader = PhoneFactsReader(app)

    @Test
    fun `apps are counted once, however many services they have`() {
        assertEquals(0, reader.read().providerApps)
        InstalledApp("com.example.weather").install()
        InstalledApp("com.example.notes").install()
        assertEquals(2, reader.read().providerApps)
    }

    @Test
    fun `the bridge itself owns the shared permission where no other app does`() {
        val name = app.applicationInfo.loadLabel(app.packageManager).toString()
        assertEquals(
            PermissionOwner("org.cetp.bridge", name, isBridge = true, isNormal = true),
            reader.read().permission.owner,
        )
    }

    @Test
    fun `another owner is told by its name, and a level that is not normal too`() {
        InstalledApp("com.example.first").install()
        define(PermissionInfo.PROTECTION_SIGNATURE)
        assertEquals(
            PermissionOwner("com.example.first", "App com.example.first", isBridge = false, isNormal = false),
            reader.read().permission.owner,
        )
        define(PermissionInfo.PROTECTION_NORMAL or PermissionInfo.PROTECTION_FLAG_INSTANT)
        assertTrue(checkNotNull(reader.read().permission.owner).isNormal)
    }

    @Test
    fun `a permission that is granted is told as such`() {
        shadowOf(app).denyPermissions(Discovery.PERMISSION)
        assertFalse(reader.read().permission.granted)
        shadowOf(app).grantPermissions(Discovery.PERMISSION)
        assertTrue(reader.read().permission.granted)
    }

    @Test
    fun `the kind of network decides whether it leads into the house`() {
        use(NetworkCapabilities.TRANSPORT_WIFI)
        assertEquals(NetworkFacts(connected = true, local = true), reader.read().network)
        use(NetworkCapabilities.TRANSPORT_CELLULAR)
        assertEquals(NetworkFacts(connected = true, local = false), reader.read().network)
        shadowOf(connectivity()).setActiveNetworkInfo(null)
        assertEquals(NetworkFacts(connected = false, local = false), reader.read().network)
    }

    @Test
    fun `notifications that were switched off are missed on every version`() {
        val manager = shadowOf(app.getSystemService(NotificationManager::class.java))
        manager.setNotificationsEnabled(true)
        val asksForIt = Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU
        assertEquals(if (asksForIt) Grant.GRANTED else Grant.NOT_NEEDED, reader.read().notifications)
        manager.setNotificationsEnabled(false)
        assertEquals(Grant.MISSING, reader.read().notifications)
    }

    @Test
    fun `before Android 17 nobody asks for the local network`() {
        assertEquals(Grant.NOT_NEEDED, reader.read().localNetwork)
    }

    @Test
    fun `the exemption from saving battery is read`() {
        assertFalse(reader.read().batteryExempt)
        shadowOf(app.getSystemService(PowerManager::class.java)).setIgnoringBatteryOptimizations(app.packageName, true)
        assertTrue(reader.read().batteryExempt)
    }

    @Test
    @Config(sdk = [34, 36])
    fun `a restriction in the background is read`() {
        assertFalse(reader.read().backgroundRestricted)
        shadowOf(app.getSystemService(ActivityManager::class.java)).setBackgroundRestricted(true)
        assertTrue(reader.read().backgroundRestricted)
    }

    @Suppress("DEPRECATION")
    private fun define(level: Int) {
        val permission = PermissionInfo()
        permission.name = Discovery.PERMISSION
        permission.packageName = "com.example.first"
        permission.protectionLevel = level
        shadowOf(app.packageManager).addPermissionInfo(permission)
    }

    private fun use(transport: Int) {
        val capabilities = ShadowNetworkCapabilities.newInstance()
        shadowOf(capabilities).addTransportType(transport)
        shadowOf(connectivity()).setNetworkCapabilities(connectivity().activeNetwork, capabilities)
    }

    private fun connectivity() = checkNotNull(app.getSystemService(ConnectivityManager::class.java))
}
