package org.cetp.bridge

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.VirtualBridge
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.protocol.CetpContract.Capability
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** Calls through the whole bridge, from the gateway's frame to the answer. */
@OptIn(ExperimentalCoroutinesApi::class)
class BridgeCallsTest {
    @Test
    fun `A call that its gateway gave no time is answered in words before the gateway gives up`() = runTest {
        val phone = VirtualBridge(this) { awaitCancellation() }.greeted()
        phone.ask("1")
        phone.pass(27.seconds)
        assertTrue(phone.sent.none { "tool_error" in it })
        phone.pass(2.seconds)
        val answer = phone.sent.single { "tool_error" in it }
        assertTrue(answer, "did not answer in time" in answer && "error_code" !in answer)
        assertEquals(CallOutcome.TimedOut, phone.bridge.calls.value.single().outcome)
    }

    @Test
    fun `A call whose time is over is dropped in silence where the gateway knows the time`() = runTest {
        val phone = VirtualBridge(this) { awaitCancellation() }.greeted(Capability.DEADLINE)
        phone.ask("1", ""","deadline_ms":3000,"call_id":"c-1"""")
        phone.pass(1.minutes)
        assertTrue(phone.sent.none { "tool_error" in it || "tool_result" in it })
        val record = phone.bridge.calls.value.single()
        assertEquals("c-1", record.id)
        assertEquals(CallOutcome.TimedOut, record.outcome)
        assertEquals(3.seconds, record.took)
    }

    @Test
    fun `A request that comes twice is run and answered once`() = runTest {
        var runs = 0
        val phone = VirtualBridge(this) { args -> args.also { runs++ } }.greeted()
        repeat(2) { phone.ask("1") }
        phone.pass(1.seconds)
        phone.ask("1")
        phone.pass(1.seconds)
        assertEquals(1, runs)
        assertEquals(1, phone.sent.count { "tool_result" in it })
    }

    @Test
    fun `An answer larger than the gateway takes becomes an error that says what to do`() = runTest {
        val phone = VirtualBridge(this) { "\"" + "é".repeat(3000) + "\"" }
        phone.greeted(limits = """{"message_bytes":5000}""")
        phone.ask("1")
        phone.pass(1.seconds)
        val answer = phone.sent.last()
        assertTrue(answer, "tool_error" in answer && "ask for less" in answer)
        assertEquals("INTERNAL_ERROR", (phone.bridge.calls.value.single().outcome as CallOutcome.Refused).code)
    }

    @Test
    fun `An answer that is not JSON is the provider's fault`() = runTest {
        val phone = VirtualBridge(this) { "no JSON" }.greeted()
        phone.ask("1")
        phone.pass(1.seconds)
        assertTrue(phone.sent.last(), "[INTERNAL_ERROR]" in phone.sent.last())
    }

    @Test
    fun `A connection that takes no more messages is given up`() = runTest {
        val phone = VirtualBridge(this) { it }.greeted()
        phone.network.last.hasRoom = false
        phone.ask("1")
        runCurrent()
        assertTrue("${phone.bridge.status.value}", phone.bridge.status.value is BridgeStatus.Waiting)
    }

    @Test
    fun `Calls beyond what the phone takes are refused at once`() = runTest {
        val phone = VirtualBridge(this) { awaitCancellation() }.greeted()
        repeat(129) { phone.ask("$it") }
        runCurrent()
        val refused = phone.sent.filter { "tool_error" in it }
        assertTrue("$refused", refused.single().let { """"id":"128"""" in it && "RATE_LIMITED" in it })
    }

    @Test
    fun `The journal keeps the last two hundred calls`() = runTest {
        val phone = VirtualBridge(this) { it }.greeted()
        repeat(250) {
            phone.ask("$it")
            phone.pass(1.milliseconds)
        }
        assertEquals((50..249).map { "$it" }.reversed(), phone.bridge.calls.value.map { it.id })
    }

    @Test
    fun `Slow answers of two calls may overtake each other`() = runTest {
        val phone = VirtualBridge(this) { args -> args.also { delay(if ("slow" in args) 5.seconds else 1.seconds) } }
        phone.greeted()
        phone.ask("1", args = """{"q":"slow"}""")
        phone.ask("2", args = """{"q":"fast"}""")
        phone.pass(10.seconds)
        val answers = phone.sent.filter { "tool_result" in it }
        assertEquals(listOf("2", "1"), answers.map { Regex("\"id\":\"(.)\"").find(it)!!.groupValues[1] })
    }
}
