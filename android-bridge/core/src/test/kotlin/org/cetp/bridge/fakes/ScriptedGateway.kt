package org.cetp.bridge.fakes

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import okhttp3.mockwebserver.Dispatcher
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.MockWebServer
import okhttp3.mockwebserver.RecordedRequest
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/** A gateway on a real socket that says what a test tells it to. Waits for everything, but not for ever. */
class ScriptedGateway : AutoCloseable {
    private val server = MockWebServer()
    private val connections = LinkedBlockingQueue<Connection>()

    /** The HTTP status with which connections are refused; null when they are taken. */
    @Volatile
    var refusal: Int? = null

    val url: String get() = "http://${server.hostName}:${server.port}"

    init {
        server.dispatcher = object : Dispatcher() {
            override fun dispatch(request: RecordedRequest): MockResponse {
                val status = refusal ?: return MockResponse().withWebSocketUpgrade(Connection(request))
                return MockResponse().setResponseCode(status)
            }
        }
        server.start()
    }

    /** The next connection, open. */
    fun next(): Connection = checkNotNull(connections.poll(WITHIN_S, TimeUnit.SECONDS)) { "nobody connected" }

    /** Whether nobody has connected that was not looked at. */
    fun isQuiet(): Boolean = connections.isEmpty()

    override fun close(): Unit = server.shutdown()

    /** One connection of a bridge. */
    inner class Connection(val request: RecordedRequest) : WebSocketListener() {
        private val frames = LinkedBlockingQueue<JsonObject>()
        private val ends = LinkedBlockingQueue<Int>()

        /** Written before the connection is handed to the test. */
        private lateinit var socket: WebSocket

        override fun onOpen(webSocket: WebSocket, response: Response) {
            socket = webSocket
            connections += this
        }

        override fun onMessage(webSocket: WebSocket, text: String) {
            frames += Json.parseToJsonElement(text) as JsonObject
        }

        override fun onClosing(webSocket: WebSocket, code: Int, reason: String) {
            ends += code
            webSocket.close(code, null)
        }

        override fun onFailure(webSocket: WebSocket, t: Throwable, response: Response?) {
            ends += BROKEN
        }

        fun say(text: String) {
            check(socket.send(text)) { "the connection is closed" }
        }

        fun say(frame: JsonObject): Unit = say(frame.toString())

        /** The next frame of the bridge. */
        fun frame(): JsonObject = checkNotNull(frames.poll(WITHIN_S, TimeUnit.SECONDS)) { "the bridge sent nothing" }

        /** The next frame, which must be of this type. */
        fun frame(type: String): JsonObject =
            frame().also { check(it["type"] == JsonPrimitive(type)) { "$type, not $it" } }

        /** What has come and was not looked at. */
        fun rest(): List<JsonObject> = frames.toList()

        /** Greet as a gateway with these extensions, when the bridge has introduced itself. */
        fun greet(vararg capabilities: String): JsonObject {
            say("""{"type":"session_start","v":1,"session_id":"s","resumed":false,"message_count":0}""")
            val connect = frame("connect")
            val granted = if (capabilities.isEmpty()) "" else ""","capabilities":${capabilities.map { "\"$it\"" }}"""
            say("""{"type":"connected","v":1,"message":"ok"$granted}""")
            return connect
        }

        fun close(code: Int) {
            socket.close(code, null)
        }

        /** The code with which the bridge closed, [BROKEN] when it broke. */
        fun end(): Int = checkNotNull(ends.poll(WITHIN_S, TimeUnit.SECONDS)) { "the connection is still open" }
    }

    companion object {
        const val BROKEN = -1
        private const val WITHIN_S = 20L
    }
}
