package org.cetp.bridge.app.screens

import android.app.Application
import android.content.Intent
import android.os.SystemClock
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.MutableStateFlow
import org.cetp.bridge.app.service.Refusal
import org.cetp.bridge.doctor.PhoneFacts
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.PairingResult
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.journal.CallRecord

/** The application of the screens' tests: everything behind the screens is what a test puts there. */
class FakeParts : Application(), BridgeParts {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Main.immediate)

    override val bridge = FakeBridge()
    override val status by lazy { bridge.status.timed(scope, SystemClock::elapsedRealtime) }
    override val target = MutableStateFlow<GatewayTarget?>(null)
    override val refusal = MutableStateFlow<Refusal?>(null)

    /** What the gateway was asked to pair with, and the answer that a test gives. */
    val asked = mutableListOf<PairingRequest>()
    val answer = CompletableDeferred<PairingResult>()

    /** Whether the key store keeps a token. */
    var keeps = true

    override val pairing = PairingRun(
        scope,
        pair = {
            asked += it
            answer.await()
        },
        remember = {
            if (keeps) target.value = it
            keeps
        },
    )

    override val isDeciding = MutableStateFlow(true)

    override fun decideHere(wanted: Boolean) {
        isDeciding.value = wanted
        wishes += "decide here $wanted"
    }

    /** What the screens wanted of the service. */
    val wishes = mutableListOf<String>()

    override fun connect() {
        wishes += "connect"
    }

    override fun disconnect() {
        wishes += "disconnect"
    }

    /** The screen of the provider, if it has one. */
    var authorizeScreen: Intent? = null

    override fun authorizeScreen(call: CallRecord): Intent? = authorizeScreen

    var facts = goodPhone

    /** Steps of the probe, as a test lets them happen. */
    val steps = MutableSharedFlow<ProbeResult>(replay = 16)

    override suspend fun phoneFacts(): PhoneFacts = facts

    override fun probe(target: GatewayTarget): Flow<ProbeResult> = steps
}
