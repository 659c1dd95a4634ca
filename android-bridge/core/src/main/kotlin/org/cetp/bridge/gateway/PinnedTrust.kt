package org.cetp.bridge.gateway

import java.security.cert.CertificateException
import java.security.cert.X509Certificate
import javax.net.ssl.X509TrustManager

/**
 * Trusts the one key that the pairing link named, and no authority.
 *
 * The name and the dates in the certificate do not count: the key alone says who it is, at whatever address, and also
 * to a phone whose clock is wrong. TLS itself proves that the peer holds the key.
 */
internal class PinnedTrust(private val pin: CertificatePin) : X509TrustManager {
    override fun checkServerTrusted(chain: Array<out X509Certificate>, authType: String) {
        if (chain.isEmpty() || !pin.fits(chain[0])) throw PinMismatch()
    }

    override fun checkClientTrusted(chain: Array<out X509Certificate>, authType: String): Unit =
        throw CertificateException("no client is trusted here")

    override fun getAcceptedIssuers(): Array<X509Certificate> = emptyArray()
}

/** The gateway shows another key than the pairing link named. */
internal class PinMismatch : CertificateException("the gateway's key is not the one it was paired with")
