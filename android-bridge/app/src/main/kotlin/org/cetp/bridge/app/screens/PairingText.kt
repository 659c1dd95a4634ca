package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.gateway.AddressProblem
import org.cetp.bridge.gateway.AddressResult
import org.cetp.bridge.gateway.CleartextRule
import org.cetp.bridge.gateway.GatewayAddress
import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.PairingCode

/** What was typed: a request, or what is wrong with which field. */
internal sealed interface TypedPairing {
    data class Good(val request: PairingRequest) : TypedPairing

    data class Bad(val address: Words?, val code: Words?) : TypedPairing
}

internal fun typedPairing(address: String, code: String): TypedPairing {
    val result = GatewayAddress.parse(address)
    val addressWords = when (result) {
        is AddressResult.Good -> if (CleartextRule.allows(result.address)) null else said(R.string.address_cleartext)
        is AddressResult.Bad -> said(addressWords(result.problem))
    }
    val parsedCode = PairingCode.typed(code)
    return if (result is AddressResult.Good && addressWords == null && parsedCode != null) {
        TypedPairing.Good(PairingRequest(result.address, parsedCode, pin = null))
    } else {
        TypedPairing.Bad(addressWords, if (parsedCode == null) said(R.string.code_bad) else null)
    }
}

private fun addressWords(problem: AddressProblem): Int = when (problem) {
    AddressProblem.EMPTY -> R.string.address_empty
    AddressProblem.TOO_LONG -> R.string.address_too_long
    AddressProblem.BAD_CHARACTER -> R.string.address_bad_character
    AddressProblem.BAD_SCHEME -> R.string.address_bad_scheme
    AddressProblem.USER_INFO -> R.string.address_user_info
    AddressProblem.HAS_PATH -> R.string.address_has_path
    AddressProblem.BAD_HOST -> R.string.address_bad_host
    AddressProblem.BAD_ZONE -> R.string.address_bad_zone
    AddressProblem.NOT_A_DESTINATION -> R.string.address_not_a_destination
    AddressProblem.BAD_PORT -> R.string.address_bad_port
}

/** What is shown of a pairing that runs or has ended; null when there is nothing to say. */
internal data class PairingView(val title: Words, val detail: Words, val tone: Tone)

internal fun pairingView(state: PairingState): PairingView? = when (state) {
    PairingState.Idle -> null
    is PairingState.Running ->
        PairingView(said(R.string.pairing_running), plain(state.address.url), Tone.BUSY)
    is PairingState.Failed -> failedView(state.problem)
    PairingState.NotKept -> PairingView(said(R.string.pairing_not_kept), said(R.string.pairing_not_kept_next), Tone.BAD)
    is PairingState.Done -> PairingView(
        said(R.string.pairing_done),
        lines(plain(state.target.url), if (state.lasting) null else said(R.string.pairing_not_lasting)),
        if (state.lasting) Tone.GOOD else Tone.WARNING,
    )
}

private fun failedView(problem: GatewayProblem): PairingView =
    problemText(problem).let { PairingView(it.what, it.nextStep, Tone.BAD) }
