package org.cetp.phone

import kotlinx.coroutines.CompletableDeferred
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.cetp.bridge.session.SocketAddress
import org.cetp.bridge.session.Transport
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.ComparableTimeMark
import kotlin.time.Duration
import kotlin.time.TimeSource

/** A gateway at the other end of a socket without wires, to measure what the bridge itself takes. */
class ScriptedTransport : Transport {
    private val waiting = ConcurrentHashMap<String, CompletableDeferred<ComparableTimeMark>>()

    /** Set with the first socket. */
    @Volatile
    private lateinit var listener: Transport.Listener

    /** Done when so many tools are registered as it was made for. */
    val registered = CompletableDeferred<ComparableTimeMark>()

    /** How many tools count as all. */
    var tools = 1

    override fun open(address: SocketAddress, listener: Transport.Listener): Transport.Socket {
        this.listener = listener
        listener.onOpen()
        listener.onText("""{"type":"session_start","v":1,"session_id":"s","resumed":false,"message_count":0}""")
        return Socket()
    }

    /** Ask for a tool; the time from the frame that asks to the frame that answers. */
    suspend fun call(id: String, name: String): Duration {
        val answered = CompletableDeferred<ComparableTimeMark>()
        waiting[id] = answered
        val asked = """{"type":"tool_call_request","v":1,"id":"$id","name":"$name","args":{"n":1},""" +
            """"deadline_ms":20000}"""
        val start = TimeSource.Monotonic.markNow()
        listener.onText(asked)
        return answered.await() - start
    }

    private inner class Socket : Transport.Socket {
        override fun send(text: String): Boolean {
            val now = TimeSource.Monotonic.markNow()
            val frame = Json.parseToJsonElement(text).jsonObject
            when (frame.text("type")) {
                "connect" -> listener.onText(CONNECTED)
                "register_tools" -> register(frame.getValue("tools").jsonArray.size, now)
                "tool_result" -> waiting.remove(frame.text("id"))?.complete(now)
                else -> error("the bridge sent ${frame.text("type")}")
            }
            return true
        }

        override fun close(code: Int) = Unit
    }

    private fun register(count: Int, now: ComparableTimeMark) {
        listener.onText("""{"type":"tools_registered","v":1,"count":$count,"registered":$count}""")
        if (count == tools) registered.complete(now)
    }

    private companion object {
        const val CONNECTED = """{"type":"connected","v":1,"message":"ok","limits":{},""" +
            """"capabilities":["cetp.registration","cetp.deadline"]}"""
    }
}
