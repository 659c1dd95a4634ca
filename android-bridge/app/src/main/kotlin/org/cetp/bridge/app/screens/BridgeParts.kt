package org.cetp.bridge.app.screens

import android.content.Intent
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.StateFlow
import org.cetp.bridge.Bridge
import org.cetp.bridge.app.service.Refusal
import org.cetp.bridge.doctor.PhoneFacts
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.journal.CallRecord

/** What the screens need of the app; the Application implements it, and tests do with fakes. */
interface BridgeParts {
    val bridge: Bridge

    /** The bridge's status together with the moment when it was set. */
    val status: StateFlow<TimedStatus>

    /** The gateway that the phone is paired with; null before the first pairing. */
    val target: StateFlow<GatewayTarget?>

    /** Why the service does not run although the owner wants it; null when it does. */
    val refusal: StateFlow<Refusal?>

    /** Pairs, and goes on when a screen is turned or left. */
    val pairing: PairingRun

    /** Whether the owner wants to be asked on this phone. */
    val isDeciding: StateFlow<Boolean>

    /** Be asked on this phone, or not; outlives restarts. */
    fun decideHere(wanted: Boolean)

    /** Start the service and connect to [target]. */
    fun connect()

    /** Disconnect and end the service. */
    fun disconnect()

    /** The provider's own screen that a call asked for; null when that app has no such screen that may be opened. */
    fun authorizeScreen(call: CallRecord): Intent?

    /** What Android says of the phone now. */
    suspend fun phoneFacts(): PhoneFacts

    /** Go the way to the gateway step by step, as `GatewayProbe` does. */
    fun probe(target: GatewayTarget): Flow<ProbeResult>
}
