package org.cetp.bridge.app.prompts

import android.app.Notification
import android.app.NotificationManager
import android.content.ComponentName
import android.content.Intent
import kotlinx.coroutines.launch
import org.cetp.bridge.app.fakes.InstalledApp
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.service.BridgeService
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.journal.CallRecord
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class AuthorizePromptTest {
    private val app = RuntimeEnvironment.getApplication() as TestApp
    private val manager = shadowOf(app.getSystemService(NotificationManager::class.java))
    private val provider = InstalledApp("com.example.weather")

    @Before
    fun `follow the journal`() {
        app.scope.launch { app.authorizePrompt.follow(app.bridge.calls) }
    }

    @Test
    fun `a call that must be authorised offers the provider's own screen`() {
        provider.screen("AllowActivity", ALLOW)
        provider.install()
        journal(refused("1"))
        val tap = shadowOf(checkNotNull(notice()).contentIntent)
        assertTrue(tap.isActivity)
        assertTrue(tap.isImmutable)
        val screen = ComponentName("com.example.weather", "com.example.weather.AllowActivity")
        assertEquals(screen, tap.savedIntent.component)
        assertEquals(ALLOW, tap.savedIntent.action)
        assertNull(tap.savedIntent.extras)
        assertNull(tap.savedIntent.data)
    }

    @Test
    fun `its button repeats the call`() {
        provider.screen("AllowActivity", ALLOW)
        provider.install()
        journal(refused("call-7"))
        val press = shadowOf(checkNotNull(notice()).actions.single().actionIntent)
        assertTrue(press.isImmutable)
        Robolectric.buildService(BridgeService::class.java, press.savedIntent).create().startCommand(0, 1)
        assertEquals("repeat call-7", app.bridge.wishes.first())
    }

    @Test
    fun `the notice holds the app's name and nothing of the call`() {
        provider.label = "Weather\u202E\nCorp"
        provider.screen("AllowActivity", ALLOW)
        provider.install()
        journal(refused("1"))
        val said = checkNotNull(notice()).extras
        assertEquals("WeatherCorp asks to be authorised", said.getCharSequence(Notification.EXTRA_TITLE).toString())
        listOf("arguments", "message", "weather__now").forEach { word ->
            assertTrue(word !in said.getCharSequence(Notification.EXTRA_TEXT).toString())
        }
    }

    @Test
    fun `another app's screen, one that is not exported, and one behind a permission are not opened`() {
        InstalledApp("com.example.bank").apply { screen("PayActivity", "com.example.bank.PAY") }.install()
        provider.screen("HiddenActivity", "hidden", exported = false)
        provider.screen("GuardedActivity", "guarded", permission = "com.example.SECRET")
        provider.install()
        val packages = app.packageManager
        listOf("com.example.bank.PAY", Intent.ACTION_CALL, "hidden", "guarded", "unknown", "", " ").forEach { action ->
            assertNull(action, authorizeScreen(packages, provider.packageName, action))
        }
        assertNotNull(authorizeScreen(packages, "com.example.bank", "com.example.bank.PAY"))
    }

    @Test
    fun `without a screen to open there is no notice`() {
        provider.install()
        journal(refused("1"))
        assertNull(notice())
    }

    @Test
    fun `an app that asks again and again is heard once in a while`() {
        provider.screen("AllowActivity", ALLOW)
        provider.install()
        journal(refused("1"))
        app.getSystemService(NotificationManager::class.java).cancelAll()
        journal(refused("2"))
        assertNull(notice())
        app.now = 11.minutes
        journal(refused("3"))
        assertNotNull(notice())
    }

    @Test
    fun `a call that is answered takes the notice away`() {
        provider.screen("AllowActivity", ALLOW)
        provider.install()
        journal(refused("1"))
        journal(record("2", CallOutcome.Running, null), refused("1"))
        assertNotNull(notice())
        journal(record("2", CallOutcome.Answered(characters = 10), null), refused("1"))
        assertNull(notice())
        journal(refused("3"))
        assertNotNull(notice())
    }

    private fun notice(): Notification? {
        val notice = Notice.Authorize(provider.packageName)
        return manager.getNotification(notice.tag, notice.number)
    }

    private fun journal(vararg calls: CallRecord) {
        app.bridge.calls.value = calls.toList()
    }

    private fun refused(id: String) = record(id, CallOutcome.Refused("AUTH_REQUIRED", "message"), ALLOW)

    private fun record(id: String, outcome: CallOutcome, authorizeIntent: String?) = CallRecord(
        id,
        tool = "weather__now",
        packageName = provider.packageName,
        startedAt = 0,
        took = 1.seconds,
        outcome = outcome,
        arguments = """{"arguments":1}""",
        authorizeIntent = authorizeIntent,
    )

    private companion object {
        const val ALLOW = "com.example.weather.ALLOW"
    }
}
