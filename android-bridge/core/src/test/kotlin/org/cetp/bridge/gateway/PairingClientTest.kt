package org.cetp.bridge.gateway

import okhttp3.Dns
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.SocketPolicy
import org.cetp.bridge.gateway.TestGateway.Companion.json
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Test
import java.net.UnknownHostException
import kotlin.time.Duration.Companion.seconds

class PairingClientTest {
    private val gateway = TestGateway()
    private val code = PairingCode.typed("1234-5678-9012")!!

    @After
    fun close() = gateway.close()

    private suspend fun pair(address: GatewayAddress = gateway.address, dns: Dns = Dns.SYSTEM) =
        PairingClient(GatewayHttp(dns)) { "made-here" }.pair(address, code, "My phone", pin = null)

    private suspend fun problem() = (pair() as PairingResult.Failed).problem

    @Test
    fun `a right code becomes a target with the gateway's token and the id it gave`() = onRealTime {
        val expected = GatewayTarget(gateway.address.url, TestGateway.TOKEN, null, "a1b2c3d4", "My phone")
        assertEquals(PairingResult.Paired(expected, lasting = true), pair())
        val request = gateway.requests().last()
        assertEquals("POST /pair HTTP/1.1", request.requestLine)
        assertEquals("1234-5678-9012", request.getHeader("X-Pairing-Code"))
        assertEquals("""{"device_name":"My phone"}""", request.body.readUtf8())
    }

    @Test
    fun `a ClawSeed gateway gives no id, so one is made, and may fail to keep the token`() = onRealTime {
        gateway.pair = json("""{"paired":true,"persisted":false,"token":"00ff","message":"x"}""")
        val paired = pair() as PairingResult.Paired
        assertEquals("made-here" to "00ff", paired.target.deviceId to paired.target.token)
        assertFalse(paired.lasting)
    }

    @Test
    fun `a gateway that needs no pairing is never shown the code`() = onRealTime {
        gateway.health = json("""{"status":"ok","paired":false,"require_pairing":false,"runtime":{}}""")
        assertEquals("", (pair() as PairingResult.NotNeeded).target.token)
        assertEquals(listOf("GET /health HTTP/1.1"), gateway.requests().map { it.requestLine })
    }

    @Test
    fun `each refusal says what it was`() = onRealTime {
        val refusals = mapOf(
            json("""{"error":"…"}""", 403) to GatewayProblem.WrongCode,
            json("""{"error":"…"}""", 401) to GatewayProblem.WrongCode,
            json("""{"error":"…","retry_after":0}""", 429) to GatewayProblem.WrongCode,
            json("""{"error":"…","retry_after":60}""", 429) to GatewayProblem.LockedOut(60.seconds),
            json("{}", 429).setHeader("Retry-After", "7") to GatewayProblem.LockedOut(7.seconds),
            json("{}", 500) to GatewayProblem.Unexpected(500),
            json("{}") to GatewayProblem.NotAGateway,
            json("""{"token":"two words"}""") to GatewayProblem.NotAGateway,
            json("""{"token":12}""") to GatewayProblem.NotAGateway,
            MockResponse().setBody("<html>") to GatewayProblem.NotAGateway,
            MockResponse().setResponseCode(307).setHeader("Location", "/elsewhere") to GatewayProblem.Redirected,
        )
        for ((answer, problem) in refusals) {
            gateway.pair = answer
            assertEquals(problem, problem())
        }
    }

    @Test
    fun `the code goes to nobody who is no gateway`() = onRealTime {
        val others = mapOf(
            MockResponse().setBody("<html>router</html>") to GatewayProblem.NotAGateway,
            MockResponse().setResponseCode(404) to GatewayProblem.NotAGateway,
            json("[]") to GatewayProblem.NotAGateway,
            json("""{"status":"${"x".repeat(70_000)}"}""") to GatewayProblem.NotAGateway,
            json("{}", 403) to GatewayProblem.HostRefused,
            json("{}", 502) to GatewayProblem.Unexpected(502),
            MockResponse().setResponseCode(302).setHeader("Location", "/login") to GatewayProblem.Redirected,
        )
        for ((answer, problem) in others) {
            gateway.health = answer
            assertEquals(problem, problem())
        }
        assertFalse(gateway.requests().any { it.requestUrl?.encodedPath == "/pair" })
    }

    @Test
    fun `a code whose answer was lost is not sent again`() = onRealTime {
        gateway.pair = MockResponse().setSocketPolicy(SocketPolicy.DISCONNECT_AFTER_REQUEST)
        assertEquals(GatewayProblem.AnswerLost, problem())
        assertEquals(1, gateway.requests().count { it.requestUrl?.encodedPath == "/pair" })
    }

    @Test
    fun `a port where nothing listens is told from a name that leads nowhere`() = onRealTime {
        val address = gateway.address
        gateway.close()
        assertEquals(PairingResult.Failed(GatewayProblem.NotListening(address.port)), pair(address))
        assertEquals(
            PairingResult.Failed(GatewayProblem.UnknownHost("nowhere.localhost")),
            pair(
                good("http://nowhere.localhost:1"),
                names {
                    throw UnknownHostException(it)
                },
            ),
        )
    }

    @Test
    fun `an unencrypted name is followed to a private address and not to a public one`() = onRealTime {
        val address = good("http://box.local:${gateway.port}")
        assertEquals(true, pair(address, names { listOf("203.0.113.7", "127.0.0.1") }) is PairingResult.Paired)
        val moved = pair(address, names { listOf("203.0.113.7") })
        assertEquals(PairingResult.Failed(GatewayProblem.CleartextRefused("box.local")), moved)
    }

    @Test
    fun `an unencrypted public address is refused before any name is looked up`() = onRealTime {
        for (text in listOf("http://gw.example.org", "http://203.0.113.7:42617")) {
            val address = good(text)
            val result = pair(address, names { error("looked up $it") })
            assertEquals(PairingResult.Failed(GatewayProblem.CleartextRefused(address.host)), result)
        }
    }
}
