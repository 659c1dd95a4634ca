package org.cetp.bridge.app.providers

import android.content.ComponentName
import android.content.pm.PackageManager
import org.cetp.bridge.app.Requirement
import org.cetp.bridge.app.fakes.InstalledApp
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.protocol.CetpContract.Discovery
import org.cetp.bridge.tools.AuthorityEntry
import org.cetp.bridge.tools.ServiceEntry
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class PackageScannerTest {
    private val packages = RuntimeEnvironment.getApplication().packageManager
    private val scanner = PackageScanner(packages)
    private val app = InstalledApp("com.example.weather")

    @Requirement("cetp.2.2.scan")
    @Test
    fun `an app's declarations are read as it wrote them`() {
        app.install()
        assertEquals(
            ServiceEntry(
                packageName = "com.example.weather",
                serviceName = "com.example.weather.ToolProviderService",
                exported = true,
                appName = "App com.example.weather",
                appVersion = "2.1",
                metaData = mapOf(Discovery.AUTHORITY to "com.example.weather.tools", Discovery.VERSION to 1),
                authority = AuthorityEntry(
                    packageName = "com.example.weather",
                    authorities = listOf("com.example.weather.tools"),
                    exported = true,
                    permission = Discovery.PERMISSION,
                    enabled = true,
                ),
                // SHA-256 of the one byte 01.
                signer = "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
            ),
            scan(),
        )
    }

    @Test
    fun `nothing is found where no app has the service`() {
        assertEquals(emptyList<ServiceEntry>(), scanner.services())
    }

    @Test
    fun `a version keeps the type that it was written in`() {
        app.metaData.putString(Discovery.VERSION, "1,2")
        app.install()
        assertEquals("1,2", scan().metaData[Discovery.VERSION])
        app.metaData.putFloat(Discovery.VERSION, 1.5f)
        app.install()
        assertEquals(1.5f, scan().metaData[Discovery.VERSION])
    }

    @Test
    fun `a resource that cannot be read stays the number it is`() {
        app.metaData.putInt(Discovery.VERSION, 0x7f990001)
        app.install()
        assertEquals(0x7f990001, scan().metaData[Discovery.VERSION])
    }

    @Test
    fun `a resource is read as the text behind it`() {
        // Only this app has resources here; it stands for one that names its authority in a resource.
        val own = InstalledApp(RuntimeEnvironment.getApplication().packageName)
        own.metaData.putInt(Discovery.AUTHORITY, org.cetp.bridge.app.R.string.action_stop)
        val found = own.service.also {
            it.metaData = own.metaData
            it.applicationInfo = ownInfo()
        }
        assertEquals(
            RuntimeEnvironment.getApplication().getString(org.cetp.bridge.app.R.string.action_stop),
            readMetaData(found, packages)[Discovery.AUTHORITY],
        )
    }

    @Test
    fun `meta-data that is none of CETP's is left alone`() {
        app.metaData.putString("com.example.other", "anything")
        app.install()
        assertEquals(setOf(Discovery.AUTHORITY, Discovery.VERSION), scan().metaData.keys)
    }

    @Test
    fun `an authority of another app is told as that app's`() {
        val victim = InstalledApp("com.example.bank").install()
        app.metaData.putString(Discovery.AUTHORITY, victim.authority)
        app.install()
        assertEquals("com.example.bank", entryOf(app).authority?.packageName)
    }

    @Test
    fun `an authority that nobody has is null`() {
        app.metaData.putString(Discovery.AUTHORITY, "com.example.nobody")
        app.install()
        assertNull(scan().authority)
    }

    @Test
    fun `several authorities of one provider are told apart`() {
        app.provider.authority = "com.example.weather.tools;com.example.weather.files"
        app.install()
        assertEquals(listOf("com.example.weather.tools", "com.example.weather.files"), scan().authority?.authorities)
    }

    @Test
    fun `a provider that can be reached without one of its permissions needs none`() {
        app.provider.writePermission = null
        app.install()
        assertNull(scan().authority?.permission)
    }

    @Test
    fun `a provider that was switched off is told as disabled`() {
        app.install()
        packages.setComponentEnabledSetting(
            ComponentName(app.packageName, app.provider.name),
            PackageManager.COMPONENT_ENABLED_STATE_DISABLED,
            PackageManager.DONT_KILL_APP,
        )
        assertFalse(checkNotNull(scan().authority).enabled)
    }

    @Test
    fun `an app that nobody signed is passed over`() {
        app.signers = emptyList()
        app.install()
        assertTrue(scanner.services().isEmpty())
    }

    @Test
    fun `several signers count together, in any order`() {
        app.signers = listOf("01", "02")
        app.install()
        val one = scan().signer
        app.signers = listOf("02", "01")
        app.install()
        assertEquals(one, scan().signer)
        app.signers = listOf("02", "03")
        app.install()
        assertNotEquals(one, scan().signer)
    }

    @Test
    @Config(sdk = [34, 36])
    fun `after a rotation of keys the new signer counts and not the old one`() {
        app.install()
        val before = scan().signer
        app.pastSigners = listOf("01")
        app.signers = listOf("02")
        app.install()
        val after = scan().signer
        assertNotEquals(before, after)
        app.pastSigners = emptyList()
        app.install()
        assertEquals(after, scan().signer)
    }

    private fun scan() = scanner.services().single()

    private fun entryOf(app: InstalledApp) = scanner.services().single { it.packageName == app.packageName }

    private fun ownInfo() = RuntimeEnvironment.getApplication().applicationInfo
}
