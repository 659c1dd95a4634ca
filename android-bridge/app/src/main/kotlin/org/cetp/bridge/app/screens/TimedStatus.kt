package org.cetp.bridge.app.screens

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.SharingStarted
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.stateIn
import org.cetp.bridge.BridgeStatus
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

/**
 * A status and when it was set, so that a screen that is opened later counts down rightly.
 *
 * @property since milliseconds since the phone was started.
 */
data class TimedStatus(val status: BridgeStatus, val since: Long) {
    /** How long until the next try at [now], milliseconds since the phone was started; never negative. */
    fun left(now: Long): Duration = when (status) {
        is BridgeStatus.Waiting -> (status.pause - (now - since).milliseconds).coerceAtLeast(Duration.ZERO)
        BridgeStatus.Off,
        is BridgeStatus.Connecting,
        is BridgeStatus.Connected,
        is BridgeStatus.Stopped,
        -> Duration.ZERO
    }
}

/**
 * Keep the moment with each status, for as long as [scope] lives.
 *
 * @param now milliseconds since the phone was started.
 */
fun StateFlow<BridgeStatus>.timed(scope: CoroutineScope, now: () -> Long): StateFlow<TimedStatus> =
    map { TimedStatus(it, now()) }.stateIn(scope, SharingStarted.Eagerly, TimedStatus(value, now()))
