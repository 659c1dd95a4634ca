package org.cetp.bridge.session

import okhttp3.OkHttpClient
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import okhttp3.mockwebserver.Dispatcher
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.MockWebServer
import okhttp3.mockwebserver.RecordedRequest
import okhttp3.mockwebserver.SocketPolicy
import okio.ByteString.Companion.encodeUtf8
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

class OkHttpTransportTest {
    private val server = MockWebServer()
    private val heard = HeardSocket()
    private val client = OkHttpClient.Builder().readTimeout(5, TimeUnit.SECONDS).build()

    @Before
    fun start() = server.start()

    @After
    fun stop() {
        client.dispatcher.executorService.shutdown()
        client.connectionPool.evictAll()
        server.shutdown()
    }

    @Test
    fun `The token travels in a header and not in the address`() {
        server.enqueue(MockResponse().withWebSocketUpgrade(Peer()))
        open()
        assertEquals("opened", heard.next())
        val request = server.takeRequest(WITHIN_S, TimeUnit.SECONDS)!!
        assertEquals("Bearer secret", request.getHeader("Authorization"))
        assertFalse("secret" in request.requestUrl.toString())
    }

    @Test
    fun `A refused upgrade tells its status`() {
        for (status in listOf(401, 403, 503)) {
            server.enqueue(MockResponse().setResponseCode(status))
            open()
            assertEquals("failed $status", heard.next())
        }
    }

    @Test
    fun `A gateway's close code is told, even if its side of the socket stays`() {
        for (code in listOf(1000, 1011, 1012, 4401, 4409)) {
            server.enqueue(MockResponse().withWebSocketUpgrade(Peer { it.close(code, "because") }))
            open()
            assertEquals("opened", heard.next())
            assertEquals("closed $code because", heard.next())
        }
        heard.assertNothingMore()
    }

    @Test
    fun `Text arrives in order and binary messages are passed over`() {
        val peer = Peer {
            it.send("one")
            it.send("two".encodeUtf8())
            it.send("three")
        }
        server.enqueue(MockResponse().withWebSocketUpgrade(peer))
        open()
        assertEquals(listOf("opened", "text one", "text three"), List(3) { heard.next() })
    }

    @Test
    fun `A gateway that goes without a word is told once`() {
        server.enqueue(MockResponse().withWebSocketUpgrade(Peer()))
        open()
        assertEquals("opened", heard.next())
        server.shutdown()
        assertEquals("failed null", heard.next())
        heard.assertNothingMore()
    }

    @Test
    fun `Bytes that are no frame end the connection as a failure`() {
        server.dispatcher = object : Dispatcher() {
            override fun dispatch(request: RecordedRequest): MockResponse = MockResponse()
                .setStatus("HTTP/1.1 101 Switching Protocols")
                .setHeader("Connection", "Upgrade")
                .setHeader("Upgrade", "websocket")
                .setHeader("Sec-WebSocket-Accept", accept(request.getHeader("Sec-WebSocket-Key")!!))
                .setBody("\u00ff\u00ffno frame")
        }
        open()
        assertEquals("opened", heard.next())
        assertEquals("failed null", heard.next())
    }

    @Test
    fun `What speaks no HTTP is a failure and no crash`() {
        server.enqueue(MockResponse().setSocketPolicy(SocketPolicy.DISCONNECT_AFTER_REQUEST))
        open()
        assertEquals("failed null", heard.next())
    }

    @Test
    fun `A gateway that accepts the connection and stalls is given up`() {
        val impatient = client.newBuilder().readTimeout(50, TimeUnit.MILLISECONDS).build()
        server.enqueue(MockResponse().setSocketPolicy(SocketPolicy.NO_RESPONSE))
        OkHttpTransport(impatient).open(address(), heard)
        assertEquals("failed null", heard.next())
    }

    @Test
    fun `A gateway that answers no pings is given up`() {
        val attentive = client.newBuilder().pingInterval(50, TimeUnit.MILLISECONDS).build()
        // The peer's only thread stays in its callback, so no pong leaves.
        val stalled = CountDownLatch(1)
        server.enqueue(MockResponse().withWebSocketUpgrade(Peer { stalled.await(WITHIN_S, TimeUnit.SECONDS) }))
        OkHttpTransport(attentive).open(address(), heard)
        assertEquals("opened", heard.next())
        assertEquals("failed null", heard.next())
        stalled.countDown()
    }

    @Test
    fun `A socket that is still opening is cut at once`() {
        server.enqueue(MockResponse().setSocketPolicy(SocketPolicy.NO_RESPONSE))
        open().close(1000)
        assertEquals("failed null", heard.next())
    }

    @Test
    fun `Once closed, a socket takes nothing more`() {
        val peer = Peer()
        server.enqueue(MockResponse().withWebSocketUpgrade(peer))
        val socket = open()
        assertEquals("opened", heard.next())
        assertTrue(socket.send("one"))
        socket.close(1000)
        assertFalse(socket.send("two"))
        assertTrue(peer.closing.await(WITHIN_S, TimeUnit.SECONDS))
        assertEquals(listOf("one"), peer.texts)
    }

    @Test
    fun `More than sixteen mebibytes at once are refused`() {
        server.enqueue(MockResponse().withWebSocketUpgrade(Peer()))
        val socket = open()
        assertEquals("opened", heard.next())
        assertFalse(socket.send("x".repeat(16 * 1024 * 1024 + 1)))
    }

    @Test
    fun `No address shows a token`() {
        assertFalse("secret" in address().toString())
        assertNull(SocketAddress("ws://h", null).token)
    }

    /** RFC 6455, section 4.2.2. */
    private fun accept(key: String) = "${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encodeUtf8().sha1().base64()

    private fun open() = OkHttpTransport(client).open(address(), heard)

    private fun address() = SocketAddress("ws://${server.hostName}:${server.port}/ws/chat?session_id=s", "secret")

    /** The gateway's side of a socket. */
    private class Peer(private val opened: (WebSocket) -> Unit = {}) : WebSocketListener() {
        val texts = ArrayList<String>()
        val closing = CountDownLatch(1)

        override fun onOpen(webSocket: WebSocket, response: Response) = opened(webSocket)

        override fun onMessage(webSocket: WebSocket, text: String) {
            texts += text
        }

        override fun onClosing(webSocket: WebSocket, code: Int, reason: String) {
            webSocket.close(code, null)
            closing.countDown()
        }
    }

    private companion object {
        const val WITHIN_S = 10L
    }
}
