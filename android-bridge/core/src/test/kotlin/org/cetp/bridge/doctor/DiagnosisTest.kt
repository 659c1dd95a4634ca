package org.cetp.bridge.doctor

import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.ProbeOutcome
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.gateway.ProbeStep
import org.junit.Assert.assertEquals
import org.junit.Test
import kotlin.time.Duration.Companion.minutes

class DiagnosisTest {
    @Test
    fun `all is well when the phone is set up and every step passed`() {
        val diagnosis = diagnose(ProbeStep.entries.map { passed(it) })
        assertEquals(CheckState.OK, diagnosis.worst)
        assertEquals(Subject.entries, diagnosis.checks.map { it.subject })
    }

    @Test
    fun `a phone that is not paired is told to pair, and nothing is said of a gateway`() {
        val diagnosis = Diagnosis.of(goodPhone, target = null, probed = emptyList())
        assertEquals(
            Check(Subject.PAIRING, CheckState.FAILED, Finding.NotPaired, Fix.PAIR),
            diagnosis.checks.last(),
        )
        assertEquals(CheckState.FAILED, diagnosis.worst)
    }

    @Test
    fun `steps that are still to come are unknown, and so is the whole`() {
        val diagnosis = diagnose(listOf(passed(ProbeStep.NAME, "192.168.1.5")))
        assertEquals(Finding.StepPassed("192.168.1.5"), diagnosis.of(Subject.GATEWAY_NAME).finding)
        assertEquals(
            Check(Subject.GATEWAY_SOCKET, CheckState.UNKNOWN, Finding.StepToCome),
            diagnosis.of(Subject.GATEWAY_SOCKET),
        )
        assertEquals(CheckState.UNKNOWN, diagnosis.worst)
    }

    @Test
    fun `the failed step is the failure, and those behind it are unknown`() {
        val problem = GatewayProblem.NotListening(port = 42617)
        val diagnosis = diagnose(
            listOf(
                passed(ProbeStep.NAME),
                failed(ProbeStep.REACH, problem),
                ProbeResult(ProbeStep.TLS, ProbeOutcome.Skipped),
            ),
        )
        assertEquals(
            Check(Subject.GATEWAY_REACH, CheckState.FAILED, Finding.StepFailed(problem)),
            diagnosis.of(Subject.GATEWAY_REACH),
        )
        assertEquals(
            Check(Subject.GATEWAY_TLS, CheckState.UNKNOWN, Finding.StepSkipped),
            diagnosis.of(Subject.GATEWAY_TLS),
        )
        assertEquals(1, diagnosis.count(CheckState.FAILED))
    }

    @Test
    fun `a refused token is mended by pairing again`() {
        val diagnosis = diagnose(listOf(failed(ProbeStep.TOKEN, GatewayProblem.TokenRefused)))
        assertEquals(Fix.PAIR, diagnosis.of(Subject.GATEWAY_TOKEN).fix)
    }

    @Test
    fun `what the owner cannot mend on the phone has no button`() {
        val diagnosis = diagnose(listOf(failed(ProbeStep.HEALTH, GatewayProblem.Unexpected(status = 500))))
        assertEquals(null, diagnosis.of(Subject.GATEWAY_HEALTH).fix)
    }

    @Test
    fun `a wrong clock alone is a warning that leads to the clock`() {
        val steps = ProbeStep.entries.map {
            if (it == ProbeStep.CLOCK) failed(it, GatewayProblem.ClockOff(ahead = 9.minutes)) else passed(it)
        }
        val clock = diagnose(steps).of(Subject.CLOCK)
        assertEquals(CheckState.WARNING, clock.state)
        assertEquals(Fix.OPEN_DATE_SETTINGS, clock.fix)
    }

    @Test
    fun `unencrypted is good on a private address and fails on a public one`() {
        assertEquals(Finding.CleartextAtHome, cleartext("http://192.168.1.5:42617").finding)
        assertEquals(Finding.Encrypted, cleartext("https://box.example.org:443").finding)
        assertEquals(
            Check(Subject.CLEARTEXT, CheckState.FAILED, Finding.CleartextRefused, Fix.PAIR),
            cleartext("http://box.example.org:80"),
        )
    }

    private fun cleartext(url: String) = diagnose(emptyList(), url).of(Subject.CLEARTEXT)

    private fun diagnose(probed: List<ProbeResult>, url: String = "http://192.168.1.5:42617") =
        Diagnosis.of(goodPhone, GatewayTarget(url, "token", null, deviceId = "phone", deviceName = "Phone"), probed)

    private fun Diagnosis.of(subject: Subject) = checks.single { it.subject == subject }

    private fun passed(step: ProbeStep, detail: String = "") = ProbeResult(step, ProbeOutcome.Passed(detail))

    private fun failed(step: ProbeStep, problem: GatewayProblem) = ProbeResult(step, ProbeOutcome.Failed(problem))
}
