package org.cetp.bridge.app.service

import android.content.Intent
import org.cetp.bridge.app.fakes.TestApp
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class BootReceiverTest {
    private val app = RuntimeEnvironment.getApplication() as TestApp

    @Test
    fun `after a restart of the phone, and after an update, the service starts if the owner was connected`() {
        app.settings.wished = true
        listOf(Intent.ACTION_BOOT_COMPLETED, Intent.ACTION_MY_PACKAGE_REPLACED).forEach { occasion ->
            BootReceiver().onReceive(app, Intent(occasion))
            assertEquals(BridgeService::class.java.name, shadowOf(app).nextStartedService?.component?.className)
        }
    }

    @Test
    fun `nothing starts when the owner was away`() {
        BootReceiver().onReceive(app, Intent(Intent.ACTION_BOOT_COMPLETED))
        assertNull(shadowOf(app).nextStartedService)
    }

    @Test
    fun `no other broadcast starts it`() {
        app.settings.wished = true
        BootReceiver().onReceive(app, Intent("com.example.ELSE"))
        assertNull(shadowOf(app).nextStartedService)
    }
}
