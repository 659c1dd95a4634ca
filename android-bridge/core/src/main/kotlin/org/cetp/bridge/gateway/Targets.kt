package org.cetp.bridge.gateway

import okhttp3.HttpUrl.Companion.toHttpUrl
import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.session.SocketAddress

/**
 * Where the bridge's socket goes: always to the same session, so that a reconnect leaves no new one behind.
 *
 * @throws IllegalArgumentException the target's address cannot be read, which pairing never writes.
 */
public fun GatewayTarget.socketAddress(sessionId: String = usualSessionId): SocketAddress {
    val url = address().url.toHttpUrl().newBuilder()
        .encodedPath(CetpContract.Gateway.PATH)
        .addQueryParameter("session_id", sessionId)
        .addQueryParameter("name", deviceName.take(MAX_NAME))
        .build()
    val socketUrl = url.toString().replaceFirst("http", "ws")
    return SocketAddress(socketUrl, token.ifEmpty { null })
}

/** The session of a phone, where nobody asks for another one. */
internal val GatewayTarget.usualSessionId: String get() = "bridge-$deviceId".take(MAX_SESSION_ID)

/** May this target be connected to? False: it is unencrypted and not private, `StopReason.CLEARTEXT_REFUSED`. */
public fun GatewayTarget.isAllowed(): Boolean = CleartextRule.allows(address())

internal fun GatewayTarget.address(): GatewayAddress = when (val result = GatewayAddress.parse(url)) {
    is AddressResult.Good -> result.address
    is AddressResult.Bad -> throw IllegalArgumentException("the gateway's address: ${result.problem.message}")
}

/** Never null for a target that has a pin: an unreadable one must not become none. */
internal fun GatewayTarget.certificatePin(): CertificatePin? =
    pin?.let { requireNotNull(CertificatePin.parse(it)) { "the gateway's pin cannot be read" } }

private const val MAX_SESSION_ID = 128
private const val MAX_NAME = 200
