package org.cetp.bridge.session

import org.junit.Assert.assertNull
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/** Writes down what is told of a socket, a line each; may be told from any thread. */
class HeardSocket : Transport.Listener {
    private val lines = LinkedBlockingQueue<String>()

    override fun onOpen() {
        lines += "opened"
    }

    override fun onText(text: String) {
        lines += "text $text"
    }

    override fun onClosed(code: Int, reason: String) {
        lines += "closed $code $reason"
    }

    override fun onFailed(status: Int?, message: String) {
        lines += "failed $status"
    }

    /** The next line; waits for it, but not for ever. */
    fun next(): String = checkNotNull(lines.poll(WITHIN_S, TimeUnit.SECONDS)) { "nothing was heard" }

    fun assertNothingMore(): Unit = assertNull(lines.poll())

    private companion object {
        const val WITHIN_S = 10L
    }
}
