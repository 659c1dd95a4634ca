package org.cetp.bridge.gateway

import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import okhttp3.Dns
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.SocketPolicy
import org.cetp.bridge.gateway.TestGateway.Companion.json
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.net.UnknownHostException
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.seconds

class GatewayProbeTest {
    private val certificate = TestGateway.selfSigned()
    private val pin = CertificatePin.of(certificate.certificate)

    private suspend fun probe(target: GatewayTarget, dns: Dns = Dns.SYSTEM) =
        GatewayProbe(GatewayHttp(dns)) { NOW }.probe(target).toList()

    /** The step that failed and why; everything before it passed, everything behind it was skipped. */
    private suspend fun end(target: GatewayTarget, dns: Dns = Dns.SYSTEM): Pair<ProbeStep, GatewayProblem>? {
        val results = probe(target, dns)
        assertEquals(ProbeStep.entries, results.map { it.step })
        val failed = results.indexOfFirst { it.outcome is ProbeOutcome.Failed }
        val before = if (failed < 0) results else results.take(failed)
        assertTrue("$results", before.all { it.outcome is ProbeOutcome.Passed })
        if (failed < 0) return null
        assertTrue("$results", results.drop(failed + 1).all { it.outcome == ProbeOutcome.Skipped })
        return results[failed].step to (results[failed].outcome as ProbeOutcome.Failed).problem
    }

    @Test
    fun `every step to a good gateway passes, over TLS with a pin`() = onRealTime {
        TestGateway(certificate).use { gateway ->
            val results = probe(gateway.target(pin = pin))
            assertTrue("$results", results.all { it.outcome is ProbeOutcome.Passed })
            val details = results.associate { it.step to (it.outcome as ProbeOutcome.Passed).detail }
            assertEquals("127.0.0.1:${gateway.port}", details[ProbeStep.REACH])
            assertEquals("TLSv1.3", details[ProbeStep.TLS])
            assertEquals("0.1.0", details[ProbeStep.HEALTH])
        }
    }

    @Test
    fun `a name that leads nowhere, or out of the private network, ends it at the name`() = onRealTime {
        TestGateway().use { gateway ->
            val target = gateway.target().copy(url = "http://box.local:${gateway.port}")
            assertEquals(
                ProbeStep.NAME to GatewayProblem.UnknownHost("box.local"),
                end(
                    target,
                    names {
                        throw UnknownHostException(it)
                    },
                ),
            )
            assertEquals(
                ProbeStep.NAME to GatewayProblem.CleartextRefused("box.local"),
                end(
                    target,
                    names {
                        listOf("203.0.113.7")
                    },
                ),
            )
            assertEquals(null, end(target, names { listOf("127.0.0.1") }))
        }
    }

    @Test
    fun `a port where nothing listens ends it at the connection`() = onRealTime {
        val gateway = TestGateway()
        gateway.close()
        assertEquals(ProbeStep.REACH to GatewayProblem.NotListening(gateway.address.port), end(gateway.target()))
    }

    @Test
    fun `another key, or no authority for it, ends it at TLS`() = onRealTime {
        TestGateway(certificate).use { gateway ->
            val other = CertificatePin.of(TestGateway.selfSigned().certificate)
            assertEquals(ProbeStep.TLS to GatewayProblem.PinMismatch, end(gateway.target(pin = other)))
            assertEquals(ProbeStep.TLS to GatewayProblem.NotTrusted, end(gateway.target()))
        }
    }

    @Test
    fun `something that is no gateway ends it at the health`() = onRealTime {
        TestGateway().use { gateway ->
            gateway.health = MockResponse().setBody("<html>")
            assertEquals(ProbeStep.HEALTH to GatewayProblem.NotAGateway, end(gateway.target()))
            gateway.health = MockResponse().setSocketPolicy(SocketPolicy.DISCONNECT_AFTER_REQUEST)
            assertEquals(ProbeStep.HEALTH to GatewayProblem.Broken, end(gateway.target()))
        }
    }

    @Test
    fun `a token that is refused ends it there`() = onRealTime {
        TestGateway().use { gateway ->
            val answers = mapOf(
                401 to GatewayProblem.TokenRefused,
                403 to GatewayProblem.NotAllowed,
                429 to GatewayProblem.Unexpected(429),
            )
            for ((status, problem) in answers) {
                gateway.status = json("{}", status)
                assertEquals(ProbeStep.TOKEN to problem, end(gateway.target()))
            }
        }
    }

    @Test
    fun `an upgrade that is refused ends it at the socket`() = onRealTime {
        TestGateway().use { gateway ->
            val answers = mapOf(
                401 to GatewayProblem.TokenRefused,
                429 to GatewayProblem.Unexpected(429),
                200 to GatewayProblem.NotAGateway,
            )
            for ((status, problem) in answers) {
                gateway.socket = json("{}", status)
                assertEquals(ProbeStep.SOCKET to problem, end(gateway.target()))
            }
        }
    }

    @Test
    fun `a wrong clock is told and ends nothing`() = onRealTime {
        TestGateway().use { gateway ->
            gateway.health.setHeader("Date", "Fri, 15 Jan 2027 05:00:00 GMT")
            val results = probe(gateway.target())
            val clock = results.single { it.step == ProbeStep.CLOCK }
            assertEquals(ProbeOutcome.Failed(GatewayProblem.ClockOff(3.hours)), clock.outcome)
            assertTrue(results.last().outcome is ProbeOutcome.Passed)
        }
    }

    @Test
    fun `a probe that nobody waits for any more ends at once`() = onRealTime {
        TestGateway().use { gateway ->
            gateway.status = MockResponse().setSocketPolicy(SocketPolicy.NO_RESPONSE)
            val results = mutableListOf<ProbeResult>()
            val probing = launch { GatewayProbe(GatewayHttp()) { NOW }.probe(gateway.target()).toList(results) }
            gateway.awaitRequest("/api/status")
            withTimeout(5.seconds) { probing.cancelAndJoin() }
            assertEquals(ProbeStep.CLOCK, results.last().step)
        }
    }

    private companion object {
        const val NOW = 1_800_000_000_000
    }
}
