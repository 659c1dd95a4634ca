package org.cetp.bridge.session

import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.StopReason
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.GatewayLimits
import org.cetp.bridge.tools.Catalog
import kotlin.time.Duration

/**
 * Everything that the session knows; replaced as a whole by [SessionMachine.step].
 *
 * @property catalog the newest one, whether the gateway has it or not.
 * @property target where it is wished to be; null when nowhere.
 * @property failures connections in a row that did not come about or did not hold.
 * @property limits what the gateway said last; kept over reconnects.
 * @property ceiling UTF-8 bytes of a message that the gateway has refused, halved; no larger one is sent.
 * @property requests what the owner is asked; kept over reconnects.
 * @property isDeciding whether the owner wants to be asked on this phone.
 * @property lastNumber of a socket or timer; each has its own, so that old ones are told apart.
 */
public data class SessionState(
    val phase: Phase = Phase.Off,
    val catalog: Catalog = Catalog.EMPTY,
    val target: GatewayTarget? = null,
    val failures: Int = 0,
    val limits: GatewayLimits = GatewayLimits(),
    val ceiling: Int = Int.MAX_VALUE,
    val requests: PersonRequests = PersonRequests(),
    val isDeciding: Boolean = true,
    val lastNumber: Long = 0,
) {
    /** What both the gateway and experience allow. */
    public val effectiveLimits: GatewayLimits
        get() = limits.copy(messageBytes = limits.messageBytes.coerceAtMost(ceiling))

    /** How it is shown. */
    public val status: BridgeStatus
        get() = when (phase) {
            Phase.Off -> BridgeStatus.Off
            is Phase.Opening -> BridgeStatus.Connecting(failures + 1)
            is Phase.Live -> BridgeStatus.Connected(phase.registered.usable, phase.registered.held.size)
            is Phase.Waiting -> BridgeStatus.Waiting(failures + 1, phase.pause, phase.because)
            is Phase.Stopped -> BridgeStatus.Stopped(phase.reason)
        }
}

/** Where the session stands. */
public sealed interface Phase {
    /** Nobody wishes a connection. */
    public data object Off : Phase

    /** There is a socket. */
    public sealed interface OnSocket : Phase {
        public val socket: Long
        public val registered: Registered

        /** The same with another registration. */
        public fun with(registered: Registered): OnSocket
    }

    /** A socket that is being opened, or is open and not greeted yet. @property greeting ends the wait. */
    public data class Opening(
        override val socket: Long,
        val greeting: Timer,
        override val registered: Registered = Registered(),
    ) : OnSocket {
        override fun with(registered: Registered): Opening = copy(registered = registered)
    }

    /**
     * The gateway has greeted.
     *
     * @property steady runs until the connection counts as one that holds.
     * @property settle runs while changes of the catalog are gathered.
     * @property probe runs while an answer is due that shows whether the socket is alive.
     * @property resend runs while the gateway may ask again for what was open before a reconnect.
     */
    public data class Live(
        override val socket: Long,
        val capabilities: Set<String>,
        override val registered: Registered,
        val steady: Timer?,
        val settle: Timer? = null,
        val probe: Timer? = null,
        val resend: Timer? = null,
    ) : OnSocket {
        /** Those that run. */
        internal val timers: List<Timer> get() = listOfNotNull(steady, settle, probe, resend)

        override fun with(registered: Registered): Live = copy(registered = registered)
    }

    /** The next try comes with [retry]. */
    public data class Waiting(val retry: Timer, val pause: Duration, val because: String) : Phase

    /** No try until the owner does something. */
    public data class Stopped(val reason: StopReason) : Phase
}

/**
 * What was registered on one socket.
 *
 * @property tools those that were sent last; calls are looked up here.
 * @property leftOut wire names of those that the gateway would not take, with reasons.
 * @property held wire names of those that the gateway holds back, with reasons.
 * @property taken how many names the gateway says it has, held ones included.
 */
public data class Registered(
    val tools: Catalog = Catalog.EMPTY,
    val leftOut: Map<String, String> = emptyMap(),
    val held: Map<String, String> = emptyMap(),
    val taken: Int = 0,
) {
    /** How many of them can be called. */
    val usable: Int get() = (taken - held.size).coerceAtLeast(0)
}

/** A wait that was asked for. @property number its own, so that one that was stopped too late does nothing. */
public data class Timer(val number: Long, val purpose: Purpose) {
    /** What a timer is for. */
    public enum class Purpose { GREETING, STEADY, SETTLE, PROBE, RETRY, RESEND, EXPIRY }
}
