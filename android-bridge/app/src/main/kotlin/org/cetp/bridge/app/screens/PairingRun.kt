package org.cetp.bridge.app.screens

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch
import org.cetp.bridge.gateway.CertificatePin
import org.cetp.bridge.gateway.GatewayAddress
import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.PairingCode
import org.cetp.bridge.gateway.PairingResult

/**
 * One pairing at a time. It does not end with the screen: a code is good once, so a token must not be lost because the
 * phone was turned.
 *
 * @param scope of the main thread, as long as the app lives.
 * @param pair asks the gateway, as `PairingClient.pair` does.
 * @param remember keeps the new target and connects to it; false when the phone's key store cannot keep the token.
 */
class PairingRun(
    private val scope: CoroutineScope,
    private val pair: suspend (PairingRequest) -> PairingResult,
    private val remember: suspend (GatewayTarget) -> Boolean,
) {
    private val mutableState = MutableStateFlow<PairingState>(PairingState.Idle)

    val state: StateFlow<PairingState> = mutableState.asStateFlow()

    /** Pair, unless a pairing is under way. Call it on the main thread. */
    fun start(request: PairingRequest) {
        if (state.value is PairingState.Running) return
        mutableState.value = PairingState.Running(request.address)
        scope.launch { mutableState.value = outcome(request) }
    }

    /** The owner has seen the outcome and goes on. */
    fun seen() {
        if (state.value !is PairingState.Running) mutableState.value = PairingState.Idle
    }

    private suspend fun outcome(request: PairingRequest): PairingState = when (val result = pair(request)) {
        is PairingResult.Paired -> done(result.target, result.lasting)
        is PairingResult.NotNeeded -> done(result.target, lasting = true)
        is PairingResult.Failed -> PairingState.Failed(result.problem)
    }

    private suspend fun done(target: GatewayTarget, lasting: Boolean): PairingState =
        if (remember(target)) PairingState.Done(target, lasting) else PairingState.NotKept
}

/** What is asked of a gateway. @property pin only from a link. */
data class PairingRequest(val address: GatewayAddress, val code: PairingCode, val pin: CertificatePin?)

/** How it stands with pairing. */
sealed interface PairingState {
    data object Idle : PairingState

    data class Running(val address: GatewayAddress) : PairingState

    data class Failed(val problem: GatewayProblem) : PairingState

    /** The gateway gave a token, but the phone's key store could not keep it. */
    data object NotKept : PairingState

    /** @property lasting false: the gateway could not save the token, and forgets it when it stops. */
    data class Done(val target: GatewayTarget, val lasting: Boolean) : PairingState
}
