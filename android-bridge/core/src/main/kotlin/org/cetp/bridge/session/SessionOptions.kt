package org.cetp.bridge.session

import org.cetp.bridge.protocol.CetpContract.Capability
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * Every bound of a session.
 *
 * @property capabilities offered in `connect` (spec 13.4).
 * @property sessionId of the gateway's session; null for one that follows from the device's id and so stays the same.
 * @property greeting for the socket to open and the gateway to greet.
 * @property steady after so long a connection counts as one that holds, and the next pause is short again.
 * @property settle changes of the catalog are gathered for so long.
 * @property probe for the answer that shows whether a socket is alive after a change of network.
 * @property resend for the gateway to ask the owner again, after a reconnect, for what is still open.
 */
public data class SessionOptions(
    val capabilities: List<String> = ALL_CAPABILITIES,
    val sessionId: String? = null,
    val greeting: Duration = 15.seconds,
    val steady: Duration = 30.seconds,
    val settle: Duration = 500.milliseconds,
    val probe: Duration = 10.seconds,
    val resend: Duration = 5.seconds,
) {
    public companion object {
        /** What this bridge can do. */
        public val ALL_CAPABILITIES: List<String> = listOf(
            Capability.REGISTRATION,
            Capability.UNREGISTER,
            Capability.CANCEL,
            Capability.DEADLINE,
            Capability.SHARED,
            Capability.READ_ONLY,
            Capability.NOTICES,
            Capability.APPROVALS,
            Capability.QUESTIONS,
        )
    }
}
