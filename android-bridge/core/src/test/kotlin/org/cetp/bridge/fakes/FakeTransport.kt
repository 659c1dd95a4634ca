package org.cetp.bridge.fakes

import org.cetp.bridge.session.SocketAddress
import org.cetp.bridge.session.Transport

/** A network without wires: sockets open when a test lets them. For tests on virtual time, in one thread. */
class FakeTransport : Transport {
    /** All sockets that were ever opened, oldest first. */
    val sockets = ArrayList<FakeSocket>()

    /** The newest one. */
    val last: FakeSocket get() = sockets.last()

    /** What becomes of each new socket at once; by default nothing does. */
    var onOpening: (FakeSocket) -> Unit = {}

    /** Sockets that are neither closed nor failed. */
    val alive: Int get() = sockets.count { it.closedWith == null && !it.isOver }

    override fun open(address: SocketAddress, listener: Transport.Listener): Transport.Socket =
        FakeSocket(address, listener).also {
            sockets += it
            onOpening(it)
        }

    class FakeSocket(val address: SocketAddress, private val listener: Transport.Listener) : Transport.Socket {
        /** What the bridge has sent, oldest first. */
        val sent = ArrayList<String>()

        /** The code with which the bridge closed it. */
        var closedWith: Int? = null
            private set

        /** Whether the gateway or the network ended it. */
        var isOver = false
            private set

        /** Whether a message still finds room. */
        var hasRoom = true

        override fun send(text: String): Boolean {
            if (!hasRoom || closedWith != null || isOver) return false
            sent += text
            return true
        }

        override fun close(code: Int) {
            if (closedWith == null) closedWith = code
        }

        fun open(): Unit = listener.onOpen()

        fun say(text: String): Unit = listener.onText(text)

        /** Open it and greet as a gateway does. */
        fun greet(vararg capabilities: String, limits: String = "{}") {
            open()
            say("""{"type":"session_start","v":1,"session_id":"s","resumed":false,"message_count":0}""")
            val granted = capabilities.joinToString(",") { "\"$it\"" }
            say("""{"type":"connected","v":1,"message":"ok","capabilities":[$granted],"limits":$limits}""")
        }

        fun end(code: Int) {
            isOver = true
            listener.onClosed(code, "")
        }

        fun fail(status: Int? = null, message: String = "the connection broke") {
            isOver = true
            listener.onFailed(status, message)
        }
    }
}
