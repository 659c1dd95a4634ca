package org.cetp.bridge.gateway

/**
 * The gateway that the phone is paired with.
 *
 * @property url `http://` or `https://` with host and port, no path.
 * @property pin SHA-256 of the certificate's public key as `sha256/BASE64`; null when the phone's own authorities decide.
 * @property deviceId stable over reconnects and restarts (spec 13.4).
 */
public data class GatewayTarget(
    val url: String,
    val token: String,
    val pin: String?,
    val deviceId: String,
    val deviceName: String,
) {
    override fun toString(): String = "GatewayTarget($url, device $deviceId)"
}
