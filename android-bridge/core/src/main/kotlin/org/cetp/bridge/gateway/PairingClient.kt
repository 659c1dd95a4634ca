package org.cetp.bridge.gateway

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import okhttp3.OkHttpClient
import java.io.IOException

/**
 * Trades a one-time code for a token (spec 13.5); works with a ClawSeed gateway too.
 *
 * @param newDeviceId makes the phone's id for a gateway that gives none: 1 to 128 of `A-Z a-z 0-9 _ . -` (spec 13.4).
 */
public class PairingClient(private val http: GatewayHttp, private val newDeviceId: () -> String) {
    /**
     * Pair with the gateway. Takes at most 50 s; cancelling gives up at once.
     *
     * @param deviceName what the phone is called in the gateway's lists; 200 characters are sent.
     */
    public suspend fun pair(
        address: GatewayAddress,
        code: PairingCode,
        deviceName: String,
        pin: CertificatePin?,
    ): PairingResult {
        if (!CleartextRule.allows(address)) return failed(GatewayProblem.CleartextRefused(address.host))
        val client = http.client(address, pin)
        val named = Draft(address, pin, deviceName.take(MAX_NAME))
        // Asked first, so that the code goes to nobody who is no gateway.
        return when (val health = health(client, address)) {
            is Checked.Bad -> failed(health.problem)
            is Checked.Good -> if (health.value.requiresPairing) {
                redeem(client, named, code)
            } else {
                PairingResult.NotNeeded(named.target("", newDeviceId()))
            }
        }
    }

    private suspend fun health(client: OkHttpClient, address: GatewayAddress): Checked<GatewayHealth> = try {
        healthOf(client.ask(healthRequest(address)))
    } catch (failure: IOException) {
        Checked.Bad(problemOf(failure, address))
    }

    private suspend fun redeem(client: OkHttpClient, draft: Draft, code: PairingCode): PairingResult = try {
        val answer = client.ask(pairRequest(draft.address, code, draft.deviceName))
        refusalOf(answer)?.let(::failed) ?: paired(draft, answer.body)
    } catch (failure: IOException) {
        failed(afterCode(problemOf(failure, draft.address)))
    }

    private fun paired(draft: Draft, body: JsonObject?): PairingResult {
        val token = text(body?.get("token"))?.takeIf(TOKEN::matches) ?: return failed(GatewayProblem.NotAGateway)
        val deviceId = text(body?.get("device_id"))?.takeIf(DEVICE_ID::matches) ?: newDeviceId()
        val lasting = (body?.get("persisted") as? JsonPrimitive)?.booleanOrNull != false
        return PairingResult.Paired(draft.target(token, deviceId), lasting)
    }

    private fun failed(problem: GatewayProblem) = PairingResult.Failed(problem)

    private class Draft(val address: GatewayAddress, val pin: CertificatePin?, val deviceName: String) {
        fun target(token: String, deviceId: String) =
            GatewayTarget(address.url, token, pin?.toString(), deviceId, deviceName)
    }

    private companion object {
        const val MAX_NAME = 200

        /** What can stand in a header. */
        val TOKEN = Regex("[!-~]{1,512}")
        val DEVICE_ID = Regex("[A-Za-z0-9_.-]{1,128}")
    }
}

/** What became of pairing. */
public sealed interface PairingResult {
    /** @property lasting false: the gateway could not save the token, which is good until the gateway stops. */
    public data class Paired(val target: GatewayTarget, val lasting: Boolean) : PairingResult

    /** The gateway lets everybody in; the code was not sent, and the target has an empty token. */
    public data class NotNeeded(val target: GatewayTarget) : PairingResult

    public data class Failed(val problem: GatewayProblem) : PairingResult
}
