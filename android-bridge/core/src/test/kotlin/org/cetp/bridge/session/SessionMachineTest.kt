package org.cetp.bridge.session

import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.StopReason
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.protocol.CetpContract.Capability
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.GatewayLimits
import org.cetp.bridge.protocol.Verdict
import org.cetp.bridge.session.SessionEffect.Close
import org.cetp.bridge.session.SessionEffect.DropCalls
import org.cetp.bridge.session.SessionEffect.Open
import org.cetp.bridge.session.SessionEffect.Send
import org.cetp.bridge.session.SessionEffect.StartTimer
import org.cetp.bridge.session.SessionEffect.StopTimer
import org.cetp.bridge.session.Timer.Purpose
import org.junit.Assert.assertEquals
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.seconds

class SessionMachineTest {
    private val table = MachineTable()

    @Test
    fun `A wish opens one socket and one timer`() {
        val step = table.step(SessionState(), SessionEvent.Wanted(TARGET))
        assertEquals(listOf(Open(1, TARGET), StartTimer(Timer(2, Purpose.GREETING), 15.seconds)), step.effects)
        assertEquals(BridgeStatus.Connecting(1), step.state.status)
    }

    @Test
    fun `The same wish again opens nothing`() {
        for (state in listOf(table.opening(), table.live())) {
            val step = table.step(state, SessionEvent.Wanted(TARGET))
            assertSame(state, step.state)
            assertEquals(emptyList<SessionEffect>(), step.effects)
        }
    }

    @Test
    fun `A wish for another gateway ends the connection and forgets the first one's limits`() {
        val other = TARGET.copy(url = "http://10.0.0.3:42617")
        val live = table.live(limits = GatewayLimits(messageBytes = 5000))
        val step = table.step(live, SessionEvent.Wanted(other))
        assertEquals(listOf(Close(1)), step.effects.filterIsInstance<Close>())
        assertEquals(listOf(other), step.effects.filterIsInstance<Open>().map { it.target })
        assertEquals(GatewayLimits(), step.state.limits)
    }

    @Test
    fun `A wish to be away ends whatever there is, timers too`() {
        val states = mapOf(
            table.opening() to listOf(StopTimer(Timer(2, Purpose.GREETING)), DropCalls(1), Close(1)),
            table.live() to listOf(StopTimer(Timer(3, Purpose.STEADY)), DropCalls(1), Close(1)),
            table.waiting() to listOf(StopTimer(Timer(3, Purpose.RETRY))),
            SessionState() to emptyList(),
        )
        for ((state, effects) in states) {
            val step = table.step(state, SessionEvent.Unwanted)
            assertEquals(effects, step.effects)
            assertEquals(BridgeStatus.Off, step.state.status)
        }
    }

    @Test
    fun `A forbidden wish stops and says why`() {
        val step = table.step(table.live(), SessionEvent.Forbidden(StopReason.CLEARTEXT_REFUSED))
        assertEquals(BridgeStatus.Stopped(StopReason.CLEARTEXT_REFUSED), step.state.status)
        assertTrue(Close(1) in step.effects)
    }

    @Test
    fun `On an open socket the device introduces itself and offers its tools in one burst`() {
        val state = table.opening(catalog("notes__a"))
        val sent = table.step(state, SessionEvent.Opened(1)).effects.map { (it as Send).frame }
        assertEquals(
            DeviceFrame.Connect("bridge-phone-1", "phone-1", "pixel", SessionOptions.ALL_CAPABILITIES),
            sent.first(),
        )
        assertEquals(listOf("notes__a"), (sent.last() as DeviceFrame.RegisterTools).tools.map { it.name })
        assertEquals(2, sent.size)
    }

    @Test
    fun `Whatever an older socket or timer says changes nothing`() {
        val late = listOf(
            SessionEvent.Opened(0),
            SessionEvent.Received(0, GatewayFrame.ToolCallRequest("1", "notes__a", "{}", null, null), at = 0),
            SessionEvent.Closed(0, 4401),
            SessionEvent.Failed(0, 401, "no"),
            SessionEvent.CallEnded(0, "1", DeviceFrame.ToolResult("1", "[]")),
        ) + Purpose.entries.map { SessionEvent.Elapsed(Timer(0, it)) }
        for (state in listOf(SessionState(), table.opening(), table.live(), table.waiting(), table.stopped())) {
            for (event in late) {
                val step = table.step(state, event)
                assertSame("$event", state, step.state)
                assertEquals("$event", emptyList<SessionEffect>(), step.effects)
            }
        }
    }

    @Test
    fun `Close codes and HTTP statuses decide as the table of the specification says`() {
        val stops = mapOf(
            SessionEvent.Closed(1, 1000) to StopReason.SENT_AWAY,
            SessionEvent.Closed(1, 4401) to StopReason.TOKEN_REFUSED,
            SessionEvent.Closed(1, 4403) to StopReason.NOT_ALLOWED,
            SessionEvent.Closed(1, 4409) to StopReason.REPLACED,
            SessionEvent.Failed(1, 401, "") to StopReason.TOKEN_REFUSED,
            SessionEvent.Failed(1, 403, "") to StopReason.NOT_ALLOWED,
        )
        for ((event, reason) in stops) {
            val step = table.step(table.live(), event)
            assertEquals("$event", BridgeStatus.Stopped(reason), step.state.status)
            assertEquals("$event", emptyList<StartTimer>(), step.effects.filterIsInstance<StartTimer>())
        }
        val returns = listOf(1001, 1002, 1006, 1009, 1011, 1012, 3000, 4408, 4429).map { SessionEvent.Closed(1, it) } +
            listOf(null, 404, 429, 500, 503).map { SessionEvent.Failed(1, it, "gone") }
        for (event in returns) {
            val step = table.step(table.live(), event)
            assertTrue("$event", step.state.phase is Phase.Waiting)
            assertEquals("$event", Purpose.RETRY, step.effects.filterIsInstance<StartTimer>().single().timer.purpose)
        }
    }

    @Test
    fun `After a message that was too large, half of it is the most that is sent`() {
        val state = table.step(table.live(), SessionEvent.Closed(1, 1009)).state
        assertEquals(GatewayLimits().messageBytes / 2, state.effectiveLimits.messageBytes)
    }

    @Test
    fun `Only a connection that held makes the next pause short again`() {
        val flapping = table.live().copy(failures = 5)
        val dropped = table.step(flapping, SessionEvent.Closed(1, 1011)).state
        assertEquals(6, dropped.failures)
        val steady = table.step(flapping, SessionEvent.Elapsed(Timer(3, Purpose.STEADY))).state
        assertEquals(0, steady.failures)
        assertEquals(1.seconds, (table.step(steady, SessionEvent.Closed(1, 1011)).state.phase as Phase.Waiting).pause)
    }

    @Test
    fun `When the network returns, what waits tries at once and all else goes on`() {
        val waiting = table.step(table.waiting(), SessionEvent.NetworkReturned)
        assertEquals(StopTimer(Timer(3, Purpose.RETRY)), waiting.effects.first())
        assertEquals(1, waiting.effects.filterIsInstance<Open>().size)
        for (state in listOf(SessionState(), table.opening(), table.stopped(), table.live())) {
            assertEquals(Step(state), table.step(state, SessionEvent.NetworkReturned))
        }
    }

    @Test
    fun `After a change of network a live socket must show that it is alive`() {
        val probed = table.step(table.live(Capability.CANCEL), SessionEvent.NetworkReturned)
        val probe = probed.effects.filterIsInstance<StartTimer>().single().timer
        assertTrue(Send(1, DeviceFrame.GetRegisteredTools) in probed.effects)
        assertEquals(Step(probed.state), table.step(probed.state, SessionEvent.NetworkReturned))

        val answer = GatewayFrame.RegisteredTools(emptyList())
        val answered = table.step(probed.state, SessionEvent.Received(1, answer, at = 0))
        assertEquals(listOf(StopTimer(probe)), answered.effects)
        assertEquals(Step(answered.state), table.step(answered.state, SessionEvent.Elapsed(probe)))

        val silent = table.step(probed.state, SessionEvent.Elapsed(probe))
        assertTrue(silent.state.phase is Phase.Waiting)
    }

    @Test
    fun `A gateway that does not greet is left`() {
        val step = table.step(table.opening(), SessionEvent.Elapsed(Timer(2, Purpose.GREETING)))
        assertTrue(step.state.phase is Phase.Waiting)
        assertTrue(Close(1) in step.effects)
    }

    @Test
    fun `Changes of the catalog are gathered and registered as the whole set`() {
        val first = table.step(table.live(Capability.UNREGISTER), SessionEvent.CatalogChanged(catalog("notes__a")))
        val settle = first.effects.filterIsInstance<StartTimer>().single().timer
        val second = table.step(first.state, SessionEvent.CatalogChanged(catalog("notes__b")))
        assertEquals(emptyList<SessionEffect>(), second.effects)
        val sent = table.step(second.state, SessionEvent.Elapsed(settle)).effects
        val frame = (sent.single() as Send).frame as DeviceFrame.RegisterTools
        assertTrue(frame.replace)
        assertEquals(listOf("notes__b"), frame.tools.map { it.name })
    }

    @Test
    fun `A gateway without extensions gets added tools in the old form`() {
        val settled = table.settled(table.live(tools = catalog("notes__a")), catalog("notes__a", "notes__b"))
        val frame = (settled.effects.single() as Send).frame as DeviceFrame.RegisterTools
        assertEquals(false, frame.replace)
        assertEquals(listOf("notes__a", "notes__b"), frame.tools.map { it.name })
    }

    @Test
    fun `A gateway without extensions is told of a withdrawn tool by a new socket`() {
        val steady = table.steady(table.live(tools = catalog("notes__a", "notes__b")))
        val settled = table.settled(steady, catalog("notes__a"))
        assertEquals(1, settled.effects.filterIsInstance<Open>().size)
        assertTrue(Close(1) in settled.effects)
    }

    @Test
    fun `Verdicts tell which tools the gateway holds`() {
        val live = table.live(tools = catalog("notes__a", "notes__delete"))
        val verdicts = listOf(
            Verdict("notes__a", Verdict.State.ACCEPTED, null),
            Verdict("notes__delete", Verdict.State.QUARANTINED, "its name says that it writes"),
            Verdict("never__offered", Verdict.State.QUARANTINED, "no"),
        )
        val frame = GatewayFrame.ToolsRegistered(2, 2, verdicts)
        val state = table.step(live, SessionEvent.Received(1, frame, at = 0)).state
        assertEquals(BridgeStatus.Connected(tools = 1, held = 1), state.status)
        assertEquals(
            mapOf("notes__delete" to "its name says that it writes"),
            (state.phase as Phase.Live).registered.held,
        )
    }

    @Test
    fun `A request that cannot be read is answered, since somebody waits for it`() {
        val event = SessionEvent.Received(1, GatewayFrame.Unreadable("args are no object", "7"), at = 0)
        val frame = table.step(table.live(), event).effects.filterIsInstance<Send>().single().frame
        assertEquals("INVALID_ARGS", (frame as DeviceFrame.ToolError).code)
        assertEquals("7", frame.id)
    }

    @Test
    fun `Limits that come with the greeting shrink what was registered in the burst`() {
        val opened = table.step(table.opening(catalog("notes__a", "notes__b")), SessionEvent.Opened(1)).state
        val limits = GatewayLimits(toolsPerDevice = 1)
        val greeting = GatewayFrame.Connected(setOf(Capability.UNREGISTER), limits)
        val step = table.step(opened, SessionEvent.Received(1, greeting, at = 0))
        val frame = step.effects.filterIsInstance<Send>().single().frame as DeviceFrame.RegisterTools
        assertEquals(listOf("notes__a"), frame.tools.map { it.name })
        assertEquals(setOf("notes__b"), (step.state.phase as Phase.Live).registered.leftOut.keys)
    }

    private companion object {
        val TARGET = GatewayTarget("http://10.0.0.2:42617", "secret", null, "phone-1", "pixel")
    }
}
