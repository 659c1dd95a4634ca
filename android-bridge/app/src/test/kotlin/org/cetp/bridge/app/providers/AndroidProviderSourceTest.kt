package org.cetp.bridge.app.providers

import android.app.Notification
import android.app.NotificationManager
import android.content.Intent
import android.net.Uri
import android.os.Looper
import app.cash.turbine.test
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.app.Requirement
import org.cetp.bridge.app.fakes.InstalledApp
import org.cetp.bridge.app.fakes.ProcessStarts
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.app.fakes.TestProvider
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.prompts.PromptLimit
import org.cetp.bridge.app.prompts.WakePrompt
import org.cetp.bridge.tools.ProviderAddress
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import kotlin.time.Duration.Companion.minutes

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class, shadows = [ProcessStarts::class])
class AndroidProviderSourceTest {
    private val app = RuntimeEnvironment.getApplication() as TestApp
    private val manager = shadowOf(app.getSystemService(NotificationManager::class.java))
    private val source = AndroidProviderSource(
        app,
        WakePrompt(app, app.notices, PromptLimit { app.now }),
        blocking = Dispatchers.Unconfined,
    )
    private val weather = InstalledApp("com.example.weather").apply {
        screen("MainActivity", Intent.ACTION_MAIN, launcher = true)
    }
    private val address = ProviderAddress(weather.packageName, weather.authority)

    @Before
    fun `forbid to start`() {
        ProcessStarts.allowed = false
    }

    @Requirement("cetp.3.1.refresh")
    @Test
    fun `installed, updated, removed and disabled apps are told while somebody listens`() = runTest {
        source.packageChanges.test {
            CHANGES.forEach { change ->
                send(change, "package:com.example.weather")
                awaitItem()
            }
            send(Intent.ACTION_PACKAGE_DATA_CLEARED, "package:com.example.weather")
            expectNoEvents()
        }
        assertFalse(shadowOf(app).registeredReceivers.any { it.intentFilter.hasAction(Intent.ACTION_PACKAGE_ADDED) })
    }

    @Requirement("cetp.3.1.scan")
    @Test
    fun `what is installed is found`() = runTest {
        weather.install()
        assertEquals(listOf("com.example.weather"), source.services().map { it.packageName })
    }

    @Test
    fun `an app that can be started is woken in silence`() = runTest {
        weather.install()
        ProcessStarts.allowed = true
        TestProvider().serve(weather)
        assertTrue(source.wake(address))
        assertNull(notice())
    }

    @Requirement("cetp.3.3.launch")
    @Test
    fun `an app that cannot be started is left to its owner to open`() = runTest {
        weather.install()
        assertFalse(source.wake(address))
        val notice = checkNotNull(notice())
        assertEquals(
            "App com.example.weather cannot be reached",
            notice.extras.getCharSequence(Notification.EXTRA_TITLE).toString(),
        )
        val tap = shadowOf(notice.contentIntent)
        assertTrue(tap.isImmutable)
        assertEquals("com.example.weather", tap.savedIntent.component?.packageName)
        assertNull(shadowOf(app).nextStartedActivity)
    }

    @Test
    fun `its owner is not asked at every try, but again after a while`() = runTest {
        weather.install()
        source.wake(address)
        app.getSystemService(NotificationManager::class.java).cancelAll()
        source.wake(address)
        assertNull(notice())
        app.now = 10.minutes
        source.wake(address)
        assertNotNull(notice())
    }

    @Test
    fun `an answer takes the request away`() = runTest {
        weather.install()
        source.wake(address)
        ProcessStarts.allowed = true
        TestProvider().serve(weather)
        source.call(address, "list_tools", null)
        assertNull(notice())
    }

    @Test
    fun `an app without a screen is not offered to be opened`() = runTest {
        val faceless = InstalledApp("com.example.faceless").install()
        assertFalse(source.wake(ProviderAddress(faceless.packageName, faceless.authority)))
        assertEquals(0, manager.size())
    }

    private fun notice(): Notification? {
        val notice = Notice.Wake(weather.packageName)
        return manager.getNotification(notice.tag, notice.number)
    }

    private fun send(action: String, uri: String) {
        app.sendBroadcast(Intent(action, Uri.parse(uri)))
        shadowOf(Looper.getMainLooper()).idle()
    }

    private companion object {
        val CHANGES = listOf(
            Intent.ACTION_PACKAGE_ADDED,
            Intent.ACTION_PACKAGE_REPLACED,
            Intent.ACTION_PACKAGE_REMOVED,
            Intent.ACTION_PACKAGE_CHANGED,
        )
    }
}
