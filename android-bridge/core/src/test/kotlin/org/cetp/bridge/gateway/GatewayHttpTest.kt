package org.cetp.bridge.gateway

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import okhttp3.Request
import okhttp3.tls.HeldCertificate
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Test
import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket

class GatewayHttpTest {
    private val certificate = TestGateway.selfSigned()
    private val gateway = TestGateway(certificate)
    private val pin = CertificatePin.of(certificate.certificate)

    @After
    fun close() = gateway.close()

    private suspend fun pair(address: GatewayAddress, pin: CertificatePin?) =
        PairingClient(GatewayHttp()) { "made-here" }.pair(address, PairingCode.typed("123456789012")!!, "Phone", pin)

    @Test
    fun `a self-signed certificate for another name is taken when its key is the pinned one`() = onRealTime {
        val paired = pair(gateway.address, pin) as PairingResult.Paired
        assertEquals(pin.toString(), paired.target.pin)
    }

    @Test
    fun `an expired certificate with the pinned key is taken`() = onRealTime {
        val expired = HeldCertificate.Builder().keyPair(certificate.keyPair).validityInterval(0, 1000).build()
        TestGateway(expired).use { assertEquals(true, pair(it.address, pin) is PairingResult.Paired) }
    }

    @Test
    fun `another key is refused before anything is sent`() = onRealTime {
        val other = CertificatePin.of(TestGateway.selfSigned().certificate)
        assertEquals(PairingResult.Failed(GatewayProblem.PinMismatch), pair(gateway.address, other))
        assertEquals(0, gateway.requests().size)
    }

    @Test
    fun `a pin on a certificate of the chain behind the first does not count`() = onRealTime {
        val authority = HeldCertificate.Builder().certificateAuthority(0).build()
        val leaf = HeldCertificate.Builder().signedBy(authority).build()
        TestGateway(leaf).use {
            val paired = pair(it.address, CertificatePin.of(authority.certificate))
            assertEquals(PairingResult.Failed(GatewayProblem.PinMismatch), paired)
        }
    }

    @Test
    fun `without a pin a self-signed certificate is not trusted`() = onRealTime {
        assertEquals(PairingResult.Failed(GatewayProblem.NotTrusted), pair(gateway.address, pin = null))
        assertEquals(0, gateway.requests().size)
    }

    @Test
    fun `https to a gateway without TLS is told apart`() = onRealTime {
        ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")).use { plain ->
            val answering = launch(Dispatchers.IO) {
                plain.accept().use { it.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".toByteArray()) }
            }
            val paired = pair(good("https://127.0.0.1:${plain.localPort}"), pin)
            assertEquals(PairingResult.Failed(GatewayProblem.NotTls), paired)
            answering.join()
        }
    }

    @Test
    fun `http to a gateway with TLS breaks off and the next step names https`() = onRealTime {
        val problem = (pair(good("http://127.0.0.1:${gateway.port}"), null) as PairingResult.Failed).problem
        assertEquals(GatewayProblem.Broken, problem)
    }

    @Test
    fun `a redirection is not followed and takes the token nowhere`() = onRealTime {
        TestGateway().use { elsewhere ->
            gateway.status.setResponseCode(302).setHeader("Location", elsewhere.address.url + "/api/status")
            val request = Request.Builder().url(gateway.address.url + "/api/status").header("Authorization", "Bearer x")
            assertEquals(302, GatewayHttp().client(gateway.target(pin = pin)).ask(request.build()).status)
            assertEquals(0, elsewhere.requests().size)
        }
    }

    @Test
    fun `no compression is offered, neither for answers nor for frames`() = onRealTime {
        val target = gateway.target(pin = pin)
        assertEquals(Opened.Yes, GatewayHttp().client(target).tryToOpen(target))
        val upgrade = gateway.requests().single()
        assertNull(upgrade.getHeader("Sec-WebSocket-Extensions"))
        assertEquals("identity", upgrade.getHeader("Accept-Encoding"))
        assertEquals("Bearer ${TestGateway.TOKEN}", upgrade.getHeader("Authorization"))
        assertEquals("/ws/chat?session_id=bridge-a1b2c3d4&name=Pixel", upgrade.path)
    }

    @Test
    fun `even a request that passed the rule by does not leave unencrypted`() = onRealTime {
        val client = GatewayHttp().client(good("http://127.0.0.1:1"), null)
        val request = Request.Builder().url("http://203.0.113.7/health").build()
        val failure = try {
            client.ask(request)
            null
        } catch (failure: IOException) {
            failure
        }
        assertEquals(NotPrivate::class, failure!!::class)
    }

    @Test
    fun `a stored pin that cannot be read is an error and not no pin`() {
        val target = gateway.target().copy(pin = "sha256/garbled")
        assertThrows(IllegalArgumentException::class.java) { GatewayHttp().client(target) }
    }

    @Test
    fun `the socket's address holds no token, and none is sent to a gateway without pairing`() {
        val address = gateway.target(token = "").copy(deviceName = "张三 & co").socketAddress()
        val query = "session_id=bridge-a1b2c3d4&name=%E5%BC%A0%E4%B8%89%20%26%20co"
        assertEquals("wss://127.0.0.1:${gateway.port}/ws/chat?$query", address.url)
        assertNull(address.token)
    }
}
