package org.cetp.bridge.app.fakes

import android.app.Application
import android.content.Context
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import org.cetp.bridge.app.Graph
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.phone.PhoneFactsReader
import org.cetp.bridge.app.prompts.AuthorizePrompt
import org.cetp.bridge.app.prompts.PromptLimit
import org.cetp.bridge.app.prompts.RequestPrompt
import org.cetp.bridge.app.service.Connection
import org.cetp.bridge.app.settings.SettingsStore
import org.cetp.bridge.app.settings.TokenVault
import org.cetp.bridge.gateway.GatewayTarget
import kotlin.time.Duration

/** The app around a [FakeBridge]; everything happens at once, on the test's thread. */
class TestApp : Application(), Graph {
    override val scope = CoroutineScope(Job() + Dispatchers.Unconfined)
    override val bridge = FakeBridge()
    override val notices by lazy { Notices(this) }
    override val settings by lazy { SettingsStore(preferences(), TokenVault(preferences(), keys), "Test phone") }
    override val connection by lazy { Connection(this, settings, notices, bridge) }
    override val authorizePrompt by lazy { AuthorizePrompt(this, notices, PromptLimit { now }) }
    override val requestPrompt by lazy { RequestPrompt(this, notices) }
    override val phoneFacts by lazy { PhoneFactsReader(this) }

    /** The phone's key store. */
    val keys = PlainKeys()

    /** What the clock of the prompts says. */
    var now = Duration.ZERO

    override fun onCreate() {
        super.onCreate()
        notices.declareChannels()
    }

    /** Pair the phone. */
    fun pair(url: String = "http://192.168.1.20:42617") {
        check(settings.pair(GatewayTarget(url, "secret", null, settings.deviceId, settings.deviceName)))
    }

    private fun preferences() = getSharedPreferences("bridge", Context.MODE_PRIVATE)
}
