package org.cetp.bridge.doctor

import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.ProbeOutcome
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.gateway.ProbeStep
import org.cetp.bridge.gateway.isAllowed

/** Judge the way to the gateway. @param probed the steps that are done by now, in any order. */
internal fun gatewayChecks(target: GatewayTarget?, probed: List<ProbeResult>): List<Check> =
    if (target == null) {
        listOf(Check(Subject.PAIRING, CheckState.FAILED, Finding.NotPaired, Fix.PAIR))
    } else {
        val paired = Check(Subject.PAIRING, CheckState.OK, Finding.PairedWith(target.url))
        val steps = ProbeStep.entries.map { step -> step(step, probed.find { it.step == step }) }
        listOf(paired, cleartext(target)) + steps
    }

private fun cleartext(target: GatewayTarget): Check = when {
    target.url.startsWith("https://") -> Check(Subject.CLEARTEXT, CheckState.OK, Finding.Encrypted)
    target.isAllowed() -> Check(Subject.CLEARTEXT, CheckState.OK, Finding.CleartextAtHome)
    else -> Check(Subject.CLEARTEXT, CheckState.FAILED, Finding.CleartextRefused, Fix.PAIR)
}

private fun step(step: ProbeStep, result: ProbeResult?): Check {
    val subject = subjectOf(step)
    return when (val outcome = result?.outcome) {
        null -> Check(subject, CheckState.UNKNOWN, Finding.StepToCome)
        ProbeOutcome.Skipped -> Check(subject, CheckState.UNKNOWN, Finding.StepSkipped)
        is ProbeOutcome.Passed -> Check(subject, CheckState.OK, Finding.StepPassed(outcome.detail))
        is ProbeOutcome.Failed ->
            Check(subject, stateOf(outcome.problem), Finding.StepFailed(outcome.problem), fixOf(outcome.problem))
    }
}

private fun subjectOf(step: ProbeStep): Subject = when (step) {
    ProbeStep.NAME -> Subject.GATEWAY_NAME
    ProbeStep.REACH -> Subject.GATEWAY_REACH
    ProbeStep.TLS -> Subject.GATEWAY_TLS
    ProbeStep.HEALTH -> Subject.GATEWAY_HEALTH
    ProbeStep.CLOCK -> Subject.CLOCK
    ProbeStep.TOKEN -> Subject.GATEWAY_TOKEN
    ProbeStep.SOCKET -> Subject.GATEWAY_SOCKET
}

/** A wrong clock alone keeps nobody away; if it does, the certificate's step has failed too. */
private fun stateOf(problem: GatewayProblem): CheckState =
    if (problem is GatewayProblem.ClockOff) CheckState.WARNING else CheckState.FAILED

private fun fixOf(problem: GatewayProblem): Fix? = when (problem) {
    is GatewayProblem.ClockOff -> Fix.OPEN_DATE_SETTINGS
    GatewayProblem.NoRoute -> Fix.OPEN_NETWORK_SETTINGS
    GatewayProblem.NotPermitted -> Fix.OPEN_APP_SETTINGS
    is GatewayProblem.UnknownHost,
    is GatewayProblem.CleartextRefused,
    is GatewayProblem.WrongName,
    GatewayProblem.NotTls,
    GatewayProblem.PinMismatch,
    GatewayProblem.NotTrusted,
    GatewayProblem.Redirected,
    GatewayProblem.NotAGateway,
    GatewayProblem.TokenRefused,
    GatewayProblem.NotAllowed,
    GatewayProblem.HostRefused,
    -> Fix.PAIR
    is GatewayProblem.NotListening,
    GatewayProblem.Silent,
    GatewayProblem.Broken,
    is GatewayProblem.Unexpected,
    GatewayProblem.WrongCode,
    is GatewayProblem.LockedOut,
    GatewayProblem.AnswerLost,
    -> null
}
