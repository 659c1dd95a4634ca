package org.cetp.bridge.gateway

import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.longOrNull
import kotlinx.serialization.json.put
import okhttp3.MediaType
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.Request
import okhttp3.RequestBody
import okio.BufferedSink
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

internal fun pairRequest(address: GatewayAddress, code: PairingCode, deviceName: String): Request = Request.Builder()
    .url("${address.url}/pair")
    .header("X-Pairing-Code", code.text)
    .post(OnceBody(buildJsonObject { put("device_name", deviceName) }.toString().encodeToByteArray()))
    .build()

/** Never sent twice: a code is good once, and a second try would hide that the first has worked. */
private class OnceBody(private val bytes: ByteArray) : RequestBody() {
    override fun contentType(): MediaType = "application/json".toMediaType()

    override fun contentLength(): Long = bytes.size.toLong()

    override fun isOneShot(): Boolean = true

    override fun writeTo(sink: BufferedSink) {
        sink.write(bytes)
    }
}

/** Why the gateway did not take the code; null when it did. */
internal fun refusalOf(answer: HttpAnswer): GatewayProblem? = when (answer.status) {
    OK -> null
    UNAUTHORIZED, FORBIDDEN -> GatewayProblem.WrongCode
    // A ClawSeed gateway answers 429 to a wrong code too, and then with no pause.
    TOO_MANY -> pauseOf(answer)?.let(GatewayProblem::LockedOut) ?: GatewayProblem.WrongCode
    in REDIRECTIONS -> GatewayProblem.Redirected
    else -> GatewayProblem.Unexpected(answer.status)
}

private fun pauseOf(answer: HttpAnswer): Duration? {
    val header = answer.headers["Retry-After"]?.toLongOrNull()
    val seconds = header ?: (answer.body?.get("retry_after") as? JsonPrimitive)?.longOrNull
    return seconds?.takeIf { it > 0 }?.coerceAtMost(MAX_PAUSE_S)?.seconds
}

/** Once the code has been sent, a lost answer means more than a lost connection. */
internal fun afterCode(problem: GatewayProblem): GatewayProblem = when (problem) {
    GatewayProblem.Broken, GatewayProblem.Silent -> GatewayProblem.AnswerLost
    else -> problem
}

private const val MAX_PAUSE_S = 86_400L
