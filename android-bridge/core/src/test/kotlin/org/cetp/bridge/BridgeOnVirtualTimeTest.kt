package org.cetp.bridge

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.test.testTimeSource
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.FakeConsentStore
import org.cetp.bridge.fakes.FakeProviderSource
import org.cetp.bridge.fakes.FakeTransport
import org.cetp.bridge.fakes.RecordingLog
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.protocol.CetpContract.Capability
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** The whole bridge where days pass in a moment. */
@OptIn(ExperimentalCoroutinesApi::class)
class BridgeOnVirtualTimeTest {
    private val network = FakeTransport()

    @Test
    fun `A gateway that is away for three days is tried about once a minute, by one socket at a time`() = runTest {
        network.onOpening = { it.fail() }
        val bridge = bridge()
        bridge.connect(TARGET)
        pass(3.days)
        // The longest pauses have 60 to 90 s.
        assertTrue("${network.sockets.size}", network.sockets.size in 2880..4330)
        assertEquals(0, network.alive)
        network.onOpening = { it.greet() }
        pass(90.seconds)
        assertTrue("${bridge.status.value}", bridge.status.value is BridgeStatus.Connected)
        assertEquals(1, network.alive)
    }

    @Test
    fun `A gateway that greets and drops is not hit again and again`() = runTest {
        network.onOpening = {
            it.greet()
            it.end(1011)
        }
        bridge().connect(TARGET)
        pass(10.minutes)
        assertTrue("${network.sockets.size}", network.sockets.size in 8..20)
    }

    @Test
    fun `After a connection that held, the first pause is short`() = runTest {
        network.onOpening = { it.fail() }
        bridge().connect(TARGET)
        pass(10.minutes)
        network.onOpening = { it.greet() }
        pass(2.minutes)
        val tries = network.sockets.size
        network.last.end(1012)
        pass(1_600.milliseconds)
        assertEquals(tries + 1, network.sockets.size)
    }

    @Test
    fun `Ten networks that come back at once open one socket`() = runTest {
        network.onOpening = { it.fail() }
        val bridge = bridge()
        bridge.connect(TARGET)
        pass(5.minutes)
        network.onOpening = {}
        val tries = network.sockets.size
        repeat(10) { bridge.networkReturned() }
        runCurrent()
        assertEquals(tries + 1, network.sockets.size)
        assertEquals(1, network.alive)
    }

    @Test
    fun `A gateway that takes the connection and says nothing is left`() = runTest {
        network.onOpening = { it.open() }
        val bridge = bridge()
        bridge.connect(TARGET)
        pass(16.seconds)
        assertEquals(1000, network.sockets.first().closedWith)
        assertTrue(bridge.status.value is BridgeStatus.Waiting || bridge.status.value is BridgeStatus.Connecting)
    }

    @Test
    fun `While nobody calls, nothing happens`() = runTest {
        network.onOpening = { it.greet(Capability.UNREGISTER) }
        val bridge = bridge(app { it })
        bridge.connect(TARGET)
        pass(2.minutes)
        val sent = network.last.sent.size
        pass(1.days)
        assertEquals(sent, network.last.sent.size)
        assertEquals(1, network.sockets.size)
    }

    @Test
    fun `Many changes of apps in a moment lead to one registration`() = runTest {
        val source = FakeProviderSource(app { it })
        network.onOpening = { it.greet(Capability.UNREGISTER) }
        bridge(source).connect(TARGET)
        pass(2.minutes)
        val sent = network.last.sent.size
        repeat(10) { source.install(FakeApp.offering(NOTES, "search", "tool$it")) }
        pass(1.minutes)
        assertEquals(sent + 1, network.last.sent.size)
        assertTrue("notes__tool9" in network.last.sent.last())
    }

    @Test
    fun `A call that its gateway gave no time is answered in words before the gateway gives up`() = runTest {
        val bridge = connected(app { awaitCancellation() })
        ask("1")
        pass(27.seconds)
        assertTrue(network.last.sent.none { "tool_error" in it })
        pass(2.seconds)
        val answer = network.last.sent.single { "tool_error" in it }
        assertTrue(answer, "did not answer in time" in answer && "error_code" !in answer)
        assertEquals(CallOutcome.TimedOut, bridge.calls.value.single().outcome)
    }

    @Test
    fun `A call whose time is over is dropped in silence where the gateway knows the time`() = runTest {
        val bridge = connected(app { awaitCancellation() }, Capability.DEADLINE)
        ask("1", ""","deadline_ms":3000,"call_id":"c-1"""")
        pass(1.minutes)
        assertTrue(network.last.sent.none { "tool_error" in it || "tool_result" in it })
        val record = bridge.calls.value.single()
        assertEquals("c-1", record.id)
        assertEquals(CallOutcome.TimedOut, record.outcome)
        assertEquals(3.seconds, record.took)
    }

    @Test
    fun `A request that comes twice is run and answered once`() = runTest {
        var runs = 0
        connected(app { args -> args.also { runs++ } })
        repeat(2) { ask("1") }
        pass(1.seconds)
        ask("1")
        pass(1.seconds)
        assertEquals(1, runs)
        assertEquals(1, network.last.sent.count { "tool_result" in it })
    }

    @Test
    fun `An answer larger than the gateway takes becomes an error that says what to do`() = runTest {
        val bridge = connected(app { "\"" + "é".repeat(3000) + "\"" }, limits = """{"message_bytes":5000}""")
        ask("1")
        pass(1.seconds)
        val answer = network.last.sent.last()
        assertTrue(answer, "tool_error" in answer && "ask for less" in answer)
        assertEquals("INTERNAL_ERROR", (bridge.calls.value.single().outcome as CallOutcome.Refused).code)
    }

    @Test
    fun `An answer that is not JSON is the provider's fault`() = runTest {
        connected(app { "no JSON" })
        ask("1")
        pass(1.seconds)
        assertTrue(network.last.sent.last(), "[INTERNAL_ERROR]" in network.last.sent.last())
    }

    @Test
    fun `A connection that takes no more messages is given up`() = runTest {
        val bridge = connected(app { it })
        network.last.hasRoom = false
        ask("1")
        runCurrent()
        assertTrue("${bridge.status.value}", bridge.status.value is BridgeStatus.Waiting)
    }

    @Test
    fun `Calls beyond what the phone takes are refused at once`() = runTest {
        connected(app { awaitCancellation() })
        repeat(129) { ask("$it") }
        runCurrent()
        val refused = network.last.sent.filter { "tool_error" in it }
        assertTrue("$refused", refused.single().let { """"id":"128"""" in it && "RATE_LIMITED" in it })
    }

    @Test
    fun `A gateway that floods the phone loses the connection`() = runTest {
        val bridge = connected(app { it })
        repeat(3000) { network.sockets.first().say("""{"type":"result_acknowledged","id":"$it"}""") }
        runCurrent()
        assertTrue("${bridge.status.value}", bridge.status.value is BridgeStatus.Waiting)
    }

    @Test
    fun `The journal keeps the last two hundred calls`() = runTest {
        val bridge = connected(app { it })
        repeat(250) {
            ask("$it")
            pass(1.milliseconds)
        }
        assertEquals((50..249).map { "$it" }.reversed(), bridge.calls.value.map { it.id })
    }

    @Test
    fun `Slow answers of two calls may overtake each other`() = runTest {
        connected(app { args -> args.also { delay(if ("slow" in args) 5.seconds else 1.seconds) } })
        ask("1", args = """{"q":"slow"}""")
        ask("2", args = """{"q":"fast"}""")
        pass(10.seconds)
        val answers = network.last.sent.filter { "tool_result" in it }
        assertEquals(listOf("2", "1"), answers.map { Regex("\"id\":\"(.)\"").find(it)!!.groupValues[1] })
    }

    private fun app(answer: suspend (args: String) -> String) =
        FakeApp.offering(NOTES, "search") { _, args -> FakeApp.success(answer(args)) }

    private fun TestScope.bridge(app: FakeApp = app { it }) = bridge(FakeProviderSource(app))

    /** A bridge whose owner allows the app. */
    private fun TestScope.bridge(source: FakeProviderSource): Bridge {
        val bridge = PhoneBridge(
            scope = backgroundScope,
            source = source,
            consents = FakeConsentStore(),
            transport = { network },
            log = RecordingLog(),
            time = testTimeSource,
            random = Random(7),
        )
        runCurrent()
        bridge.allow(NOTES, allowed = true)
        pass(5.seconds)
        return bridge
    }

    private fun TestScope.connected(app: FakeApp, vararg granted: String, limits: String = "{}"): Bridge {
        network.onOpening = { it.greet(*granted, limits = limits) }
        return bridge(app).also {
            it.connect(TARGET)
            runCurrent()
            network.onOpening = {}
        }
    }

    private fun ask(id: String, more: String = "", args: String = "{}"): Unit =
        network.last.say("""{"type":"tool_call_request","id":"$id","name":"notes__search","args":$args$more}""")

    private fun TestScope.pass(time: Duration) {
        val until = currentTime + time.inWholeMilliseconds
        advanceTimeBy(time)
        runCurrent()
        check(currentTime == until)
    }

    private companion object {
        const val NOTES = "com.example.notes"
        val TARGET = GatewayTarget("http://10.0.0.2:42617", "secret", null, "phone-1", "pixel")
    }
}
