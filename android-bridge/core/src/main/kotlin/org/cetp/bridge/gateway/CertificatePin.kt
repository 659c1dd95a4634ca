package org.cetp.bridge.gateway

import okio.ByteString
import okio.ByteString.Companion.decodeBase64
import okio.ByteString.Companion.toByteString
import java.security.cert.X509Certificate

/** SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469 2.4): the same as long as the key stays. */
@ConsistentCopyVisibility
public data class CertificatePin private constructor(private val digest: ByteString) {
    /** Is this the certificate's key? */
    public fun fits(certificate: X509Certificate): Boolean = digest == digestOf(certificate)

    /** `sha256/` and 44 characters of BASE64. */
    override fun toString(): String = PREFIX + digest.base64()

    public companion object {
        private const val PREFIX = "sha256/"
        private const val BYTES = 32

        /** Read `sha256/BASE64`; null when it is not exactly that. */
        public fun parse(text: String): CertificatePin? {
            val digest = text.takeIf { it.startsWith(PREFIX) }?.removePrefix(PREFIX)?.decodeBase64()
            return digest?.takeIf { it.size == BYTES }?.let(::CertificatePin)?.takeIf { it.toString() == text }
        }

        /** The pin of a certificate. */
        public fun of(certificate: X509Certificate): CertificatePin = CertificatePin(digestOf(certificate))

        private fun digestOf(certificate: X509Certificate) = certificate.publicKey.encoded.toByteString().sha256()
    }
}
