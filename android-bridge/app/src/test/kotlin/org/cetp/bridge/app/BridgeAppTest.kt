package org.cetp.bridge.app

import android.content.Intent
import android.net.Uri
import android.os.Looper
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.job
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.fakes.InstalledApp
import org.cetp.bridge.app.fakes.PlainKeys
import org.cetp.bridge.app.fakes.TestProvider
import org.cetp.bridge.app.settings.KeySource
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.tools.Consent
import org.cetp.bridge.tools.ProviderState
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import kotlin.time.Duration.Companion.seconds

/** The real graph, but for the key store. */
class KeylessBridgeApp : BridgeApp() {
    override fun keySource(): KeySource = PlainKeys()
}

@RunWith(RobolectricTestRunner::class)
@Config(application = KeylessBridgeApp::class)
class BridgeAppTest {
    private val app = RuntimeEnvironment.getApplication() as BridgeApp
    private val weather = InstalledApp("com.example.weather")

    @After
    fun `end the process`() = runTest { app.scope.coroutineContext.job.cancelAndJoin() }

    @Test
    fun `an app whose signer changed is no longer allowed`() = runTest {
        weather.install()
        TestProvider().serve(weather)
        provider { it.consent == Consent.NOT_ASKED }
        app.bridge.allow(weather.packageName, true)
        provider { it.consent == Consent.ALLOWED }

        weather.signers = listOf("02")
        weather.install()
        app.sendBroadcast(Intent(Intent.ACTION_PACKAGE_REPLACED, Uri.parse("package:${weather.packageName}")))
        shadowOf(Looper.getMainLooper()).idle()

        provider { it.consent == Consent.SIGNER_CHANGED }
    }

    @Test
    fun `a pairing that was kept is known to the screens after a restart`() = runTest {
        val target = GatewayTarget("https://192.168.1.20:42617", "secret", null, "phone-1", "My phone")
        assertTrue(app.settings.pair(target))
        app.onCreate()
        assertEquals(target, soon { app.target.first { it != null } })
    }

    @Test
    fun `the owner's wish not to be asked here outlives the process`() = runTest {
        assertTrue(app.isDeciding.value)
        app.decideHere(false)
        assertFalse(app.isDeciding.value)
        assertFalse(app.settings.decidesHere)
    }

    @Test
    fun `without a connection nothing is connected`() {
        assertEquals(BridgeStatus.Off, app.bridge.status.value)
        assertNotNull(app.phoneFacts.read())
    }

    private suspend fun provider(condition: (ProviderState) -> Boolean) {
        soon {
            app.bridge.providers.first { all -> all.any { it.packageName == weather.packageName && condition(it) } }
        }
    }

    /** The graph lives on real threads; only a test that fails waits so long. */
    private suspend fun <T> soon(wait: suspend () -> T): T =
        withContext(Dispatchers.Default) { withTimeout(20.seconds) { wait() } }
}
