package org.cetp.bridge.session

/** The border to the network: opens one WebSocket. Implemented with OkHttp and by a fake on virtual time. */
public fun interface Transport {
    /** Start to open a socket; everything that becomes of it is told to the listener, from any thread. */
    public fun open(address: SocketAddress, listener: Listener): Socket

    /** One socket, from the moment it starts to open. */
    public interface Socket {
        /** Queue a text message; false when the socket is closed or its queue is full, and then nothing was sent. */
        public fun send(text: String): Boolean

        /** Close politely, and for good after a short while; once closed it does nothing. */
        public fun close(code: Int)
    }

    /** What becomes of a socket: [onOpen] at most once and first, [onText] in order, one of the others once and last. */
    public interface Listener {
        public fun onOpen()

        public fun onText(text: String)

        /** The peer closed it. */
        public fun onClosed(code: Int, reason: String)

        /** It could not be opened, or broke. @param status the HTTP status that refused the upgrade, if one did. */
        public fun onFailed(status: Int?, message: String)
    }
}

/**
 * Where a socket goes.
 *
 * @property url `ws://` or `wss://` with path and query; never holds the token.
 * @property token goes into the `Authorization` header.
 */
public data class SocketAddress(val url: String, val token: String?) {
    override fun toString(): String = "SocketAddress($url)"
}
