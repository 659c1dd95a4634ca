package org.cetp.bridge.app.screens

import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.StopReason
import org.cetp.bridge.app.R
import org.cetp.bridge.app.service.Refusal
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowLooper
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class StatusActivityTest {
    private val bridge get() = fakeParts.bridge

    @Test
    fun `a phone that is not paired is shown how, and its button leads to pairing`() = onScreen<StatusActivity> {
        assertEquals("Not paired", textOf(R.id.status_headline))
        assertNull(textOf(R.id.status_gateway))
        touch(R.id.status_main)
        assertEquals(PairingActivity::class.java.name, shadowOf(this).nextStartedActivity.component?.className)
    }

    @Test
    fun `a paired phone connects and disconnects by its button`() {
        fakeParts.target.value = home
        onScreen<StatusActivity> {
            assertEquals(home.url, textOf(R.id.status_gateway))
            touch(R.id.status_main)
            bridge.status.value = BridgeStatus.Connecting(attempt = 1)
            settle()
            assertEquals("Connecting…", textOf(R.id.status_headline))
            touch(R.id.status_other)
            assertEquals(listOf("connect", "disconnect"), fakeParts.wishes)
        }
    }

    @Test
    fun `a connected phone says how many tools are used and held`() = onScreen<StatusActivity> {
        bridge.status.value = BridgeStatus.Connected(tools = 14, held = 1)
        settle()
        assertEquals("Connected", textOf(R.id.status_headline))
        assertEquals(
            "The gateway can use 14 tools.\nIt holds back 1 more; “Apps” says why.",
            textOf(R.id.status_detail),
        )
        bridge.status.value = BridgeStatus.Connected(tools = 0, held = 0)
        settle()
        assertEquals(
            "The gateway can use no tool yet. Switch on the apps that you trust.",
            textOf(R.id.status_detail),
        )
    }

    @Test
    fun `a waiting phone counts down, also on a screen that is opened later, and can be hurried`() {
        fakeParts.status.value // Kept since the app was started.
        bridge.status.value = BridgeStatus.Waiting(2, pause = 90.seconds, because = "the gateway is restarting")
        settle()
        ShadowLooper.idleMainLooper(20, TimeUnit.SECONDS)
        onScreen<StatusActivity> {
            assertEquals("Next try in 1 min 10 s.\nReason: the gateway is restarting", textOf(R.id.status_detail))
            ShadowLooper.idleMainLooper(69, TimeUnit.SECONDS)
            assertEquals("Next try in 1 second.\nReason: the gateway is restarting", textOf(R.id.status_detail))
            ShadowLooper.idleMainLooper(9, TimeUnit.SECONDS)
            assertEquals("Next try now.\nReason: the gateway is restarting", textOf(R.id.status_detail))
            touch(R.id.status_main)
            assertEquals(listOf("networkReturned"), bridge.wishes)
        }
    }

    @Test
    fun `each reason to stop is told with the button that helps`() {
        fakeParts.target.value = home
        val helps = mapOf(
            StopReason.TOKEN_REFUSED to "Pair again",
            StopReason.NOT_ALLOWED to "Connect",
            StopReason.REPLACED to "Connect",
            StopReason.SENT_AWAY to "Connect",
            StopReason.CLEARTEXT_REFUSED to "Pair again",
        )
        onScreen<StatusActivity> {
            val details = StopReason.entries.map { reason ->
                bridge.status.value = BridgeStatus.Stopped(reason)
                settle()
                assertEquals("Stopped", textOf(R.id.status_headline))
                assertEquals(helps.getValue(reason), textOf(R.id.status_main))
                textOf(R.id.status_detail)
            }
            assertEquals(StopReason.entries.size, details.toSet().size)
        }
    }

    @Test
    fun `what the system refused to the service is shown until it no longer holds`() = onScreen<StatusActivity> {
        assertNull(textOf(R.id.status_notice))
        fakeParts.refusal.value = Refusal.BACKGROUND
        settle()
        assertEquals(getString(Refusal.BACKGROUND.text), textOf(R.id.status_notice))
        fakeParts.refusal.value = null
        settle()
        assertNull(textOf(R.id.status_notice))
    }

    @Test
    @Config(qualifiers = "zh-rCN")
    fun `a Chinese phone is spoken to in Chinese`() = onScreen<StatusActivity> {
        bridge.status.value = BridgeStatus.Connected(tools = 14, held = 0)
        settle()
        assertEquals("已连接", textOf(R.id.status_headline))
        assertEquals("网关可以使用 14 个工具。", textOf(R.id.status_detail))
    }
}
