package org.cetp.bridge.gateway

import okhttp3.ConnectionSpec
import okhttp3.Dns
import okhttp3.OkHttpClient
import okhttp3.Protocol
import java.net.Proxy
import java.security.SecureRandom
import javax.net.ssl.HostnameVerifier
import javax.net.ssl.SSLContext
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration

/**
 * The way to gateways: one OkHttp with one pool of threads, and for each gateway the client that trusts it.
 *
 * - With a pin, the gateway's key must be the pinned one, and that is all that counts: the certificate may be
 *   self-signed, expired or made for another name (a box's address changes; its key does not).
 * - Without a pin, the phone's authorities and the certificate's name decide, as in any browser.
 * - Without TLS, connections stay within private networks ([CleartextRule]).
 * - Redirections are not followed, so a token goes nowhere but where it belongs.
 *
 * @param dns how names are resolved.
 */
public class GatewayHttp(private val dns: Dns = Dns.SYSTEM) {
    private val base = OkHttpClient.Builder()
        .connectTimeout(CONNECT_TIMEOUT.toJavaDuration())
        .readTimeout(SILENCE_TIMEOUT.toJavaDuration())
        .writeTimeout(SILENCE_TIMEOUT.toJavaDuration())
        .callTimeout(CALL_TIMEOUT.toJavaDuration())
        .pingInterval(PING_INTERVAL.toJavaDuration())
        // All that gateways speak; a connection of HTTP/2 that has just been let go of may still be handed out.
        .protocols(listOf(Protocol.HTTP_1_1))
        .followRedirects(false)
        .followSslRedirects(false)
        .addInterceptor(NoCompression)
        .addInterceptor(CleartextGuard)
        .build()

    /** The client for a gateway; cheap, but worth keeping: connections are only shared within it. */
    public fun client(address: GatewayAddress, pin: CertificatePin?): OkHttpClient {
        val builder = base.newBuilder()
            .dns(if (address.secure) dns else PrivateDns(dns))
            .connectionSpecs(listOf(if (address.secure) ConnectionSpec.MODERN_TLS else ConnectionSpec.CLEARTEXT))
        // A proxy for the web does not lead into the phone's own network, and should not see a token.
        if (CleartextRule.mayAsk(address.host)) builder.proxy(Proxy.NO_PROXY)
        if (address.secure && pin != null) builder.onlyKey(pin)
        return builder.build()
    }

    /**
     * The same for the gateway that the phone is paired with.
     *
     * @throws IllegalArgumentException its address or pin cannot be read, which pairing never writes.
     */
    public fun client(target: GatewayTarget): OkHttpClient = client(target.address(), target.certificatePin())

    private fun OkHttpClient.Builder.onlyKey(pin: CertificatePin) {
        val trust = PinnedTrust(pin)
        val context = SSLContext.getInstance("TLS")
        context.init(null, arrayOf(trust), SecureRandom())
        sslSocketFactory(context.socketFactory, trust)
        hostnameVerifier(HostnameVerifier { _, _ -> true })
    }

    public companion object {
        private val CONNECT_TIMEOUT = 10.seconds
        private val SILENCE_TIMEOUT = 10.seconds

        /** From the name to the last byte of an answer; for a WebSocket until it is open. */
        private val CALL_TIMEOUT = 20.seconds

        /** A gateway that has not answered a ping by the next one is gone. */
        private val PING_INTERVAL = 30.seconds
    }
}
