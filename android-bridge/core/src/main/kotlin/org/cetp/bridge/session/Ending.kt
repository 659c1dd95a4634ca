package org.cetp.bridge.session

import org.cetp.bridge.StopReason

/** What the end of a socket means for the next try (spec 13.3). */
public sealed interface Ending {
    /** Come back after a pause. @property because for the owner. */
    public data class Return(val because: String) : Ending

    /** Come back, and send smaller messages. */
    public data class ReturnWithLess(val because: String) : Ending

    /** Stay away until the owner does something. */
    public data class Stop(val reason: StopReason) : Ending

    public companion object {
        /** The gateway closed an open socket with this code. */
        public fun ofClose(code: Int): Ending = when (code) {
            1000 -> Stop(StopReason.SENT_AWAY)
            1009 -> ReturnWithLess("a message was too large for the gateway")
            1011 -> Return("the gateway could not serve this session")
            1001, 1012 -> Return("the gateway is restarting")
            4401 -> Stop(StopReason.TOKEN_REFUSED)
            4403 -> Stop(StopReason.NOT_ALLOWED)
            4408 -> Return("the gateway's messages were not read in time")
            4409 -> Stop(StopReason.REPLACED)
            4429 -> Return("the gateway has too many connections or messages of this phone")
            else -> Return("the gateway closed the connection with $code")
        }

        /** It could not be opened, or broke. @param status the HTTP status that refused it, if one did. */
        public fun ofFailure(status: Int?, message: String): Ending = when (status) {
            401 -> Stop(StopReason.TOKEN_REFUSED)
            403 -> Stop(StopReason.NOT_ALLOWED)
            404 -> Return("something else than a gateway answers at this address (HTTP 404)")
            null -> Return(message)
            else -> Return("the gateway answers with HTTP $status")
        }
    }
}
