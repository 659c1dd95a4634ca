package org.cetp.bridge.app

import android.app.Application
import android.content.Context
import android.content.Intent
import android.content.res.Configuration
import android.os.Build
import android.os.SystemClock
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.plus
import kotlinx.coroutines.withContext
import org.cetp.bridge.Bridge
import org.cetp.bridge.PhoneBridge
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.phone.PhoneFactsReader
import org.cetp.bridge.app.prompts.AuthorizePrompt
import org.cetp.bridge.app.prompts.PromptLimit
import org.cetp.bridge.app.prompts.RequestPrompt
import org.cetp.bridge.app.prompts.WakePrompt
import org.cetp.bridge.app.prompts.authorizeScreen
import org.cetp.bridge.app.providers.AndroidProviderSource
import org.cetp.bridge.app.screens.BridgeParts
import org.cetp.bridge.app.screens.PairingRequest
import org.cetp.bridge.app.screens.PairingRun
import org.cetp.bridge.app.screens.timed
import org.cetp.bridge.app.service.Connection
import org.cetp.bridge.app.service.Refusal
import org.cetp.bridge.app.settings.AndroidKeySource
import org.cetp.bridge.app.settings.ConsentPreferences
import org.cetp.bridge.app.settings.KeySource
import org.cetp.bridge.app.settings.Pairing
import org.cetp.bridge.app.settings.SettingsStore
import org.cetp.bridge.app.settings.TokenVault
import org.cetp.bridge.doctor.PhoneFacts
import org.cetp.bridge.gateway.GatewayHttp
import org.cetp.bridge.gateway.GatewayProbe
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.PairingClient
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.session.OkHttpTransport
import kotlin.time.Duration.Companion.milliseconds

/** Builds every object by hand, each when it is first needed, and owns the only scope that outlives a screen. */
open class BridgeApp : Application(), Graph, BridgeParts {
    final override val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)

    final override val settings by lazy {
        val preferences = getSharedPreferences("bridge", Context.MODE_PRIVATE)
        SettingsStore(preferences, TokenVault(preferences, keySource()), Build.MODEL)
    }
    final override val notices by lazy { Notices(this) }
    final override val connection by lazy { Connection(this, settings, notices, bridge) }
    final override val authorizePrompt by lazy { AuthorizePrompt(this, notices, promptLimit()) }
    final override val requestPrompt by lazy { RequestPrompt(this, notices) }
    final override val phoneFacts by lazy { PhoneFactsReader(this) }
    final override val bridge: Bridge by lazy {
        PhoneBridge(
            scope = scope,
            source = AndroidProviderSource(this, WakePrompt(this, notices, promptLimit())),
            consents = ConsentPreferences(getSharedPreferences("consents", Context.MODE_PRIVATE)),
            transport = { OkHttpTransport(http.client(it)) },
            log = AndroidLog,
        ).also { it.decideHere(settings.decidesHere) }
    }

    final override val status by lazy { bridge.status.timed(scope, SystemClock::elapsedRealtime) }
    final override val refusal: StateFlow<Refusal?> get() = connection.refusal
    final override val pairing by lazy { PairingRun(scope + Dispatchers.Main, { pair(it) }, ::remember) }

    /** Written when the process starts and after a pairing. */
    private val known = MutableStateFlow<GatewayTarget?>(null)
    final override val target: StateFlow<GatewayTarget?> get() = known

    private val http by lazy { GatewayHttp() }
    private val pairingClient by lazy { PairingClient(http, settings::deviceId) }
    private val gatewayProbe by lazy { GatewayProbe(http, System::currentTimeMillis) }

    /** Where the key to the token is; tests have no key store. */
    protected open fun keySource(): KeySource = AndroidKeySource()

    final override fun onCreate() {
        super.onCreate()
        notices.declareChannels()
        scope.launch(Dispatchers.IO) { known.compareAndSet(null, (settings.pairing() as? Pairing.Paired)?.target) }
    }

    final override fun onConfigurationChanged(configuration: Configuration) {
        super.onConfigurationChanged(configuration)
        // The system shows their names in its settings, perhaps in another language from now on.
        notices.declareChannels()
    }

    private val deciding by lazy { MutableStateFlow(settings.decidesHere) }
    final override val isDeciding: StateFlow<Boolean> get() = deciding

    final override fun decideHere(wanted: Boolean) {
        settings.decidesHere = wanted
        deciding.value = wanted
        bridge.decideHere(wanted)
    }

    final override fun connect(): Unit = connection.on()

    final override fun disconnect(): Unit = connection.off()

    final override fun authorizeScreen(call: CallRecord): Intent? {
        val provider = call.packageName ?: return null
        return call.authorizeIntent?.let { authorizeScreen(packageManager, provider, it) }
    }

    final override suspend fun phoneFacts(): PhoneFacts = withContext(Dispatchers.IO) { phoneFacts.read() }

    final override fun probe(target: GatewayTarget): Flow<ProbeResult> = gatewayProbe.probe(target)

    private suspend fun pair(request: PairingRequest) =
        pairingClient.pair(request.address, request.code, settings.deviceName, request.pin)

    private suspend fun remember(target: GatewayTarget): Boolean {
        val kept = withContext(Dispatchers.IO) { settings.pair(target) }
        if (kept) {
            known.value = target
            connection.on()
        }
        return kept
    }

    private fun promptLimit() = PromptLimit { SystemClock.elapsedRealtime().milliseconds }
}
