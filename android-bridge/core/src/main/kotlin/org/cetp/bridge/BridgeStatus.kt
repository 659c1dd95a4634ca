package org.cetp.bridge

import kotlin.time.Duration

/** How the bridge stands with its gateway. */
public sealed interface BridgeStatus {
    /** Nobody asked for a connection. */
    public data object Off : BridgeStatus

    /** A socket is being opened, or has been opened and not been greeted yet. @property attempt 1 for the first. */
    public data class Connecting(val attempt: Int) : BridgeStatus

    /** @property tools the tools that the gateway has taken. @property held those that it holds back. */
    public data class Connected(val tools: Int, val held: Int) : BridgeStatus

    /** The next try comes by itself. @property attempt the number of that try. @property pause from the moment this was set. @property because in words. */
    public data class Waiting(val attempt: Int, val pause: Duration, val because: String) : BridgeStatus

    /** No further try until the owner does something. */
    public data class Stopped(val reason: StopReason) : BridgeStatus
}

/** Why the bridge stays away from its gateway. */
public enum class StopReason {
    /** The token is unknown or revoked: pair again. */
    TOKEN_REFUSED,

    /** The gateway does not let this device in. */
    NOT_ALLOWED,

    /** Another socket with this device's id has taken over. */
    REPLACED,

    /** The gateway said good-bye for good. */
    SENT_AWAY,

    /** The address is unencrypted and not on a private network. */
    CLEARTEXT_REFUSED,
}
