package org.cetp.bridge.session

import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.GatewayFrameReader
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Clock

/**
 * Turns what becomes of one socket into events that carry its number. Called from the transport's threads.
 *
 * Frames are read here, so that the session's coroutine never waits for a large one and never sees those that are none
 * of a bridge's business. A gateway that sends faster than frames are handled loses the connection, not the phone its
 * memory.
 */
internal class SocketEars(
    private val number: Long,
    private val clock: Clock,
    private val tell: (SessionEvent) -> Unit,
) : Transport.Listener {
    private val waiting = AtomicInteger()

    override fun onOpen(): Unit = tell(SessionEvent.Opened(number))

    override fun onText(text: String) {
        val frame = GatewayFrameReader.read(text)
        if (frame is GatewayFrame.Ignored) return
        when (waiting.incrementAndGet()) {
            in 1..MOST_WAITING -> tell(SessionEvent.Received(number, frame, clock.now().toEpochMilliseconds()))
            MOST_WAITING + 1 -> tell(SessionEvent.Failed(number, null, "the gateway sends more than can be handled"))
        }
    }

    override fun onClosed(code: Int, reason: String): Unit = tell(SessionEvent.Closed(number, code))

    override fun onFailed(status: Int?, message: String): Unit = tell(SessionEvent.Failed(number, status, message))

    /** A frame of this or another socket has been handled. */
    fun handled(socket: Long) {
        if (socket == number) waiting.decrementAndGet()
    }

    private companion object {
        const val MOST_WAITING = 1024
    }
}
