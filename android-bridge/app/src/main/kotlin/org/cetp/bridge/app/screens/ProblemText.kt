package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.gateway.GatewayProblem

/** Why a gateway cannot be used, and what to do about it. */
internal data class ProblemText(val what: Words, val nextStep: Words)

internal fun problemText(problem: GatewayProblem): ProblemText = when (problem) {
    is GatewayProblem.UnknownHost ->
        text(said(R.string.problem_unknown_host, plain(problem.host)), R.string.problem_unknown_host_next)
    is GatewayProblem.CleartextRefused ->
        text(said(R.string.problem_cleartext, plain(problem.host)), R.string.problem_cleartext_next)
    is GatewayProblem.NotListening ->
        text(said(R.string.problem_not_listening, problem.port), R.string.problem_not_listening_next)
    GatewayProblem.NoRoute -> text(R.string.problem_no_route, R.string.problem_no_route_next)
    GatewayProblem.Silent -> text(R.string.problem_silent, R.string.problem_silent_next)
    GatewayProblem.NotPermitted -> text(R.string.problem_not_permitted, R.string.problem_not_permitted_next)
    GatewayProblem.Broken -> text(R.string.problem_broken, R.string.problem_broken_next)
    GatewayProblem.AnswerLost -> text(R.string.problem_answer_lost, R.string.problem_answer_lost_next)
    is GatewayProblem.ClockOff ->
        text(said(R.string.problem_clock, lengthWords(problem.ahead.absoluteValue)), R.string.problem_clock_next)
    GatewayProblem.NotTls -> text(R.string.problem_not_tls, R.string.problem_not_tls_next)
    GatewayProblem.PinMismatch -> text(R.string.problem_pin, R.string.problem_pin_next)
    GatewayProblem.NotTrusted -> text(R.string.problem_not_trusted, R.string.problem_not_trusted_next)
    is GatewayProblem.WrongName ->
        text(said(R.string.problem_wrong_name, plain(problem.host)), R.string.problem_wrong_name_next)
    GatewayProblem.Redirected -> text(R.string.problem_redirected, R.string.problem_redirected_next)
    GatewayProblem.NotAGateway -> text(R.string.problem_no_gateway, R.string.problem_no_gateway_next)
    is GatewayProblem.Unexpected ->
        text(said(R.string.problem_status, problem.status), R.string.problem_status_next)
    GatewayProblem.HostRefused -> text(R.string.problem_host_refused, R.string.problem_host_refused_next)
    GatewayProblem.TokenRefused -> text(R.string.problem_token, R.string.problem_token_next)
    GatewayProblem.NotAllowed -> text(R.string.problem_not_allowed, R.string.problem_not_allowed_next)
    GatewayProblem.WrongCode -> text(R.string.problem_code, R.string.problem_code_next)
    is GatewayProblem.LockedOut -> ProblemText(
        said(R.string.problem_locked_out),
        said(R.string.problem_locked_out_next, lengthWords(problem.pause)),
    )
}

private fun text(what: Int, nextStep: Int) = text(said(what), nextStep)

private fun text(what: Words, nextStep: Int) = ProblemText(what, said(nextStep))
