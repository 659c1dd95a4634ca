package org.cetp.bridge.gateway

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.contentOrNull
import okhttp3.Request

/** What `GET /health` says of a gateway. */
internal data class GatewayHealth(val version: String?, val requiresPairing: Boolean)

internal fun healthRequest(address: GatewayAddress): Request = Request.Builder().url("${address.url}/health").build()

/** The health in an answer, or why it is none. */
internal fun healthOf(answer: HttpAnswer): Checked<GatewayHealth> = when {
    answer.status in REDIRECTIONS -> Checked.Bad(GatewayProblem.Redirected)
    answer.status == FORBIDDEN -> Checked.Bad(GatewayProblem.HostRefused)
    answer.status in SERVER_ERRORS -> Checked.Bad(GatewayProblem.Unexpected(answer.status))
    answer.status != OK || text(answer.body?.get("status")) == null -> Checked.Bad(GatewayProblem.NotAGateway)
    else -> Checked.Good(
        GatewayHealth(
            version = text(answer.body?.get("version"))?.take(MAX_VERSION),
            // Whoever does not say so is asked for a token, which a gateway without pairing ignores.
            requiresPairing = (answer.body?.get("require_pairing") as? JsonPrimitive)?.booleanOrNull ?: true,
        ),
    )
}

/** A value, or the problem that kept it away. */
internal sealed interface Checked<out T> {
    data class Good<T>(val value: T) : Checked<T>

    data class Bad(val problem: GatewayProblem) : Checked<Nothing>
}

/** The text of a JSON string; null for everything else. */
internal fun text(element: JsonElement?): String? =
    (element as? JsonPrimitive)?.takeIf { it.isString }?.contentOrNull

internal const val OK = 200
internal const val UNAUTHORIZED = 401
internal const val FORBIDDEN = 403
internal const val TOO_MANY = 429
internal val REDIRECTIONS = 300..399
private val SERVER_ERRORS = 500..599
private const val MAX_VERSION = 40
