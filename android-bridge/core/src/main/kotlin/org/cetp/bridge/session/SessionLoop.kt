package org.cetp.bridge.session

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.launch
import org.cetp.bridge.Log
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.protocol.DeviceFrameWriter
import kotlin.time.Clock

/** Owns the session: one coroutine takes events from one channel, steps, and performs the effects. */
internal class SessionLoop(
    private val machine: SessionMachine,
    private val transport: (GatewayTarget) -> Transport,
    private val address: (GatewayTarget) -> SocketAddress,
    private val calls: Calls,
    private val log: Log,
    private val clock: Clock,
) {
    /** Unbounded for wishes; what sockets put in is bounded by [SocketEars]. */
    private val events = Channel<SessionEvent>(Channel.UNLIMITED)
    private val present = MutableStateFlow(SessionState())

    /** Touched by the loop's coroutine alone. Null while there is no socket. */
    private var open: OpenSocket? = null

    /** Touched by the loop's coroutine alone. */
    private val timers = HashMap<Timer, Job>()

    /** The state after the newest step. */
    val state: StateFlow<SessionState> = present.asStateFlow()

    /** Something has happened; from any thread. */
    fun tell(event: SessionEvent) {
        events.trySend(event)
    }

    /** Runs until it is cancelled; then the socket is closed. */
    suspend fun run(): Unit = coroutineScope {
        try {
            for (event in events) handle(event, this)
        } finally {
            open?.socket?.close(GOOD_BYE)
        }
    }

    private fun handle(event: SessionEvent, scope: CoroutineScope) {
        if (event is SessionEvent.Elapsed) timers.remove(event.timer)
        if (event is SessionEvent.Received) open?.ears?.handled(event.socket)
        if (event is SessionEvent.CallEnded && !isAwaited(event)) return
        val step = machine.step(present.value, event)
        step.effects.forEach { perform(it, scope) }
        // Last, so that whoever sees the state finds it true: calls dropped, the socket closed.
        present.value = step.state
    }

    /** An answer that came after its call was dropped, or on an older socket, ends here. */
    private fun isAwaited(event: SessionEvent.CallEnded) = open?.number == event.socket && calls.ended(event.id)

    private fun perform(effect: SessionEffect, scope: CoroutineScope) {
        when (effect) {
            is SessionEffect.Open -> open(effect)
            is SessionEffect.Send -> send(effect)
            is SessionEffect.Close -> close(effect.socket)
            is SessionEffect.StartTimer -> timers[effect.timer] = scope.launch {
                delay(effect.after)
                tell(SessionEvent.Elapsed(effect.timer))
            }
            is SessionEffect.StopTimer -> timers.remove(effect.timer)?.cancel()
            is SessionEffect.RunCall -> calls.start(effect, scope) { answer ->
                tell(SessionEvent.CallEnded(effect.socket, effect.request.id, answer))
            }
            is SessionEffect.CancelCall -> calls.cancel(effect.id)
            is SessionEffect.DropCalls -> calls.dropAll()
            is SessionEffect.Note -> log.write(Log.Level.WARNING, effect.text)
        }
    }

    private fun open(effect: SessionEffect.Open) {
        val ears = SocketEars(effect.socket, clock, ::tell)
        log.write(Log.Level.INFO, "opening connection ${effect.socket}")
        try {
            open = OpenSocket(effect.socket, ears, transport(effect.target).open(address(effect.target), ears))
        } catch (_: IllegalArgumentException) {
            tell(SessionEvent.Failed(effect.socket, null, "the gateway's address or pin cannot be read; pair again"))
        }
    }

    /** A socket that takes nothing more is as good as broken. */
    private fun send(effect: SessionEffect.Send) {
        val socket = open?.takeIf { it.number == effect.socket }?.socket ?: return
        if (!socket.send(DeviceFrameWriter.write(effect.frame))) {
            tell(SessionEvent.Failed(effect.socket, null, "the connection takes no more messages"))
        }
    }

    private fun close(number: Long) {
        val closing = open?.takeIf { it.number == number } ?: return
        open = null
        log.write(Log.Level.INFO, "closing connection $number")
        closing.socket.close(GOOD_BYE)
    }

    private class OpenSocket(val number: Long, val ears: SocketEars, val socket: Transport.Socket)

    private companion object {
        const val GOOD_BYE = 1000
    }
}
