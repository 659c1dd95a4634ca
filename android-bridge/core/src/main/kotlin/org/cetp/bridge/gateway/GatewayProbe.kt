package org.cetp.bridge.gateway

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import okhttp3.ConnectionPool
import okhttp3.Request
import java.io.IOException
import java.net.InetSocketAddress
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/**
 * Goes the way to the gateway step by step and says where it ends. Uses the client that the bridge itself uses.
 *
 * @param now the phone's clock, milliseconds since 1970.
 */
public class GatewayProbe(private val http: GatewayHttp, private val now: () -> Long) {
    /**
     * One result for each [ProbeStep], in order. Takes at most 80 s; ends at once when nobody collects any more.
     *
     * @throws IllegalArgumentException when collected: the target's address or pin cannot be read.
     */
    public fun probe(target: GatewayTarget): Flow<ProbeResult> = flow {
        val run = Run(target)
        val good = connect(run) && token(run) && socket(run)
        if (!good) ProbeStep.entries.filter { it !in run.told }.forEach { emit(ProbeResult(it, ProbeOutcome.Skipped)) }
    }

    private suspend fun FlowCollector<ProbeResult>.connect(run: Run): Boolean {
        if (!CleartextRule.allows(run.address)) {
            return fail(run, ProbeStep.NAME, GatewayProblem.CleartextRefused(run.address.host))
        }
        val sentAt = now()
        val answer = try {
            run.client.ask(healthRequest(run.address))
        } catch (failure: IOException) {
            return tellFailedWay(run, problemOf(failure, run.address))
        }
        tellWay(run)
        val health = when (val health = healthOf(answer)) {
            is Checked.Bad -> return fail(run, ProbeStep.HEALTH, health.problem)
            is Checked.Good -> health.value
        }
        pass(run, ProbeStep.HEALTH, health.version.orEmpty())
        tellClock(run, answer, sentAt)
        return true
    }

    /** Emits what went well and then the step at which it ended. */
    private suspend fun FlowCollector<ProbeResult>.tellFailedWay(run: Run, problem: GatewayProblem): Boolean {
        val last = when {
            run.trace.tried == null -> ProbeStep.NAME
            !run.trace.reached -> ProbeStep.REACH
            run.address.secure && run.trace.handshake == null -> ProbeStep.TLS
            else -> ProbeStep.HEALTH
        }
        tellWay(run, until = last)
        return fail(run, last, problem)
    }

    private suspend fun FlowCollector<ProbeResult>.tellWay(run: Run, until: ProbeStep = ProbeStep.HEALTH) {
        val trace = run.trace
        if (until > ProbeStep.NAME) pass(run, ProbeStep.NAME, trace.resolved.joinToString { it.hostAddress.orEmpty() })
        if (until > ProbeStep.REACH) pass(run, ProbeStep.REACH, trace.tried?.let(::inWords).orEmpty())
        if (until > ProbeStep.TLS) pass(run, ProbeStep.TLS, trace.handshake?.tlsVersion?.javaName ?: "unencrypted")
    }

    private fun inWords(socket: InetSocketAddress) = "${socket.address?.hostAddress}:${socket.port}"

    /** A wrong clock ends nothing: the steps behind it still have something to say. */
    private suspend fun FlowCollector<ProbeResult>.tellClock(run: Run, answer: HttpAnswer, sentAt: Long) {
        val gateway = answer.headers.getDate("Date")
        // The gateway's moment lies between the question and the answer.
        val ahead = if (gateway == null) 0L else sentAt + (now() - sentAt) / 2 - gateway.time
        when {
            gateway == null -> pass(run, ProbeStep.CLOCK, "the gateway does not tell its time")
            ahead.milliseconds.absoluteValue > CLOCK_TOLERANCE ->
                fail(run, ProbeStep.CLOCK, GatewayProblem.ClockOff((ahead / 1000).seconds))
            else -> pass(run, ProbeStep.CLOCK, "")
        }
    }

    private suspend fun FlowCollector<ProbeResult>.token(run: Run): Boolean {
        val request = Request.Builder().url("${run.address.url}/api/status")
        if (run.target.token.isNotEmpty()) request.header("Authorization", "Bearer ${run.target.token}")
        val problem = try {
            problemOfStatus(run.client.ask(request.build()).status)
        } catch (failure: IOException) {
            problemOf(failure, run.address)
        }
        return if (problem == null) pass(run, ProbeStep.TOKEN, "") else fail(run, ProbeStep.TOKEN, problem)
    }

    private suspend fun FlowCollector<ProbeResult>.socket(run: Run): Boolean =
        when (val opened = run.client.tryToOpen(run.target)) {
            is Opened.Yes -> pass(run, ProbeStep.SOCKET, "")
            is Opened.Refused ->
                fail(run, ProbeStep.SOCKET, problemOfStatus(opened.status) ?: GatewayProblem.NotAGateway)
            is Opened.Failed -> fail(run, ProbeStep.SOCKET, problemOf(opened.failure, run.address))
        }

    private suspend fun FlowCollector<ProbeResult>.pass(run: Run, step: ProbeStep, detail: String): Boolean {
        run.told += step
        emit(ProbeResult(step, ProbeOutcome.Passed(detail)))
        return true
    }

    private suspend fun FlowCollector<ProbeResult>.fail(run: Run, step: ProbeStep, problem: GatewayProblem): Boolean {
        run.told += step
        emit(ProbeResult(step, ProbeOutcome.Failed(problem)))
        return false
    }

    private inner class Run(val target: GatewayTarget) {
        val address = target.address()
        val trace = ProbeTrace()

        /** Keeps no connections, so that every step is really gone. */
        val client = http.client(target).newBuilder()
            .connectionPool(ConnectionPool(0, 1, TimeUnit.SECONDS))
            .eventListener(trace)
            .build()

        /** Owned by the collecting coroutine. */
        val told = mutableSetOf<ProbeStep>()
    }

    private companion object {
        val CLOCK_TOLERANCE = 2.minutes
    }
}

internal fun problemOfStatus(status: Int): GatewayProblem? = when (status) {
    OK -> null
    UNAUTHORIZED -> GatewayProblem.TokenRefused
    FORBIDDEN -> GatewayProblem.NotAllowed
    in REDIRECTIONS -> GatewayProblem.Redirected
    else -> GatewayProblem.Unexpected(status)
}
