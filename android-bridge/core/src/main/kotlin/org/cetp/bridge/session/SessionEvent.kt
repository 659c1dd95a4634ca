package org.cetp.bridge.session

import org.cetp.bridge.StopReason
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.PersonAnswer
import org.cetp.bridge.protocol.RequestKey
import org.cetp.bridge.tools.Catalog

/** What happens to a session. */
public sealed interface SessionEvent {
    /** The owner wishes to be connected there. */
    public data class Wanted(val target: GatewayTarget) : SessionEvent

    /** The owner wishes to be connected where it must not be. */
    public data class Forbidden(val reason: StopReason) : SessionEvent

    /** The owner wishes to be away. */
    public data object Unwanted : SessionEvent

    /** Other tools are offered. */
    public data class CatalogChanged(val catalog: Catalog) : SessionEvent

    /** The network is back, or another one. */
    public data object NetworkReturned : SessionEvent

    /** Whether the owner wants to be asked on this phone. */
    public data class Deciding(val here: Boolean) : SessionEvent

    /** The owner has answered a request. */
    public data class Answered(val key: RequestKey, val answer: PersonAnswer) : SessionEvent

    /** A wait is over. */
    public data class Elapsed(val timer: Timer) : SessionEvent

    /** Something about one socket; nothing happens unless it is the present one. */
    public sealed interface OfSocket : SessionEvent {
        public val socket: Long
    }

    /** The socket is open. */
    public data class Opened(override val socket: Long) : OfSocket

    /** The gateway sent a frame. @property at milliseconds since 1970. */
    public data class Received(override val socket: Long, val frame: GatewayFrame, val at: Long) : OfSocket

    /** The gateway closed the socket. */
    public data class Closed(override val socket: Long, val code: Int) : OfSocket

    /** It could not be opened or broke. @property status the HTTP status that refused it, if one did. */
    public data class Failed(override val socket: Long, val status: Int?, val message: String) : OfSocket

    /** A call has ended. @property answer null when there is nothing to say. */
    public data class CallEnded(override val socket: Long, val id: String, val answer: DeviceFrame?) : OfSocket
}
