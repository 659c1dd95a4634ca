package org.cetp.bridge.gateway

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import okhttp3.Dns
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import okhttp3.mockwebserver.Dispatcher
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.MockWebServer
import okhttp3.mockwebserver.RecordedRequest
import okhttp3.tls.HandshakeCertificates
import okhttp3.tls.HeldCertificate
import java.net.InetAddress
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.seconds

/** A gateway's doors on a real port; each answer can be changed. Owned by one test. */
internal class TestGateway(certificate: HeldCertificate? = null) : AutoCloseable {
    private val server = MockWebServer()

    @Volatile var health: MockResponse =
        json("""{"status":"ok","version":"0.1.0","paired":false,"require_pairing":true,"runtime":{}}""")

    @Volatile var pair: MockResponse =
        json("""{"paired":true,"persisted":true,"token":"$TOKEN","device_id":"a1b2c3d4","message":""}""")

    @Volatile var status: MockResponse = json("{}")

    @Volatile var socket: MockResponse = MockResponse().withWebSocketUpgrade(object : WebSocketListener() {
        override fun onClosing(webSocket: WebSocket, code: Int, reason: String) {
            webSocket.close(code, null)
        }
    })

    init {
        server.dispatcher = object : Dispatcher() {
            override fun dispatch(request: RecordedRequest): MockResponse = when (request.requestUrl?.encodedPath) {
                "/health" -> health
                "/pair" -> pair
                "/api/status" -> status
                "/ws/chat" -> socket
                else -> MockResponse().setResponseCode(404)
            }
        }
        if (certificate != null) {
            val certificates = HandshakeCertificates.Builder().heldCertificate(certificate).build()
            server.useHttps(certificates.sslSocketFactory(), tunnelProxy = false)
        }
        server.start(InetAddress.getByName("127.0.0.1"), 0)
    }

    val port: Int get() = server.port
    val address: GatewayAddress = good("${if (certificate == null) "http" else "https"}://127.0.0.1:${server.port}")

    fun target(token: String = TOKEN, pin: CertificatePin? = null) =
        GatewayTarget(address.url, token, pin?.toString(), "a1b2c3d4", "Pixel")

    /** All requests that have come by now; nothing is waited for. */
    fun requests(): List<RecordedRequest> =
        generateSequence { server.takeRequest(0, TimeUnit.MILLISECONDS) }.toList()

    /** Takes requests until one for this path has come. */
    fun awaitRequest(path: String) {
        do {
            val request = checkNotNull(server.takeRequest(10, TimeUnit.SECONDS)) { "no request for $path" }
        } while (request.requestUrl?.encodedPath != path)
    }

    override fun close() = server.shutdown()

    companion object {
        const val TOKEN = "5e0c0a3d9f"

        fun json(text: String, status: Int = 200): MockResponse =
            MockResponse().setResponseCode(status).setHeader("Content-Type", "application/json").setBody(text)

        fun selfSigned(): HeldCertificate = HeldCertificate.Builder().commonName("cetp-gateway").build()
    }
}

internal fun good(text: String): GatewayAddress = (GatewayAddress.parse(text) as AddressResult.Good).address

/** A name service that answers so. */
internal fun names(lookup: (String) -> List<String>) = object : Dns {
    override fun lookup(hostname: String) = lookup(hostname).map(InetAddress::getByName)
}

/** Real sockets need real time. */
internal fun onRealTime(test: suspend CoroutineScope.() -> Unit) =
    runTest(timeout = 30.seconds) { withContext(Dispatchers.IO, test) }
