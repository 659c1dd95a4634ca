package org.cetp.bridge

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.VirtualBridge
import org.cetp.bridge.protocol.CetpContract.Capability
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/** The whole bridge where days pass in a moment. */
@OptIn(ExperimentalCoroutinesApi::class)
class BridgeOnVirtualTimeTest {
    @Test
    fun `A gateway that is away for three days is tried about once a minute, by one socket at a time`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = { it.fail() }
        phone.connect()
        phone.pass(3.days)
        // The longest pauses have 60 to 90 s.
        assertTrue("${phone.network.sockets.size}", phone.network.sockets.size in 2880..4330)
        assertEquals(0, phone.network.alive)
        phone.network.onOpening = { it.greet() }
        phone.pass(90.seconds)
        assertTrue("${phone.bridge.status.value}", phone.bridge.status.value is BridgeStatus.Connected)
        assertEquals(1, phone.network.alive)
    }

    @Test
    fun `A gateway that greets and drops is not hit again and again`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = {
            it.greet()
            it.end(1011)
        }
        phone.connect()
        phone.pass(10.minutes)
        assertTrue("${phone.network.sockets.size}", phone.network.sockets.size in 8..20)
    }

    @Test
    fun `After a connection that held, the first pause is short`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = { it.fail() }
        phone.connect()
        phone.pass(10.minutes)
        phone.network.onOpening = { it.greet() }
        phone.pass(2.minutes)
        val tries = phone.network.sockets.size
        phone.network.last.end(1012)
        phone.pass(1_600.milliseconds)
        assertEquals(tries + 1, phone.network.sockets.size)
    }

    @Test
    fun `Ten networks that come back at once open one socket`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = { it.fail() }
        phone.connect()
        phone.pass(5.minutes)
        phone.network.onOpening = {}
        val tries = phone.network.sockets.size
        repeat(10) { phone.bridge.networkReturned() }
        runCurrent()
        assertEquals(tries + 1, phone.network.sockets.size)
        assertEquals(1, phone.network.alive)
    }

    @Test
    fun `A gateway that takes the connection and says nothing is left`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = { it.open() }
        phone.connect()
        phone.pass(16.seconds)
        assertEquals(1000, phone.network.sockets.first().closedWith)
        assertTrue("${phone.bridge.status.value}", phone.bridge.status.value !is BridgeStatus.Connected)
    }

    @Test
    fun `While nobody calls, nothing happens`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = { it.greet(Capability.UNREGISTER) }
        phone.connect()
        phone.pass(2.minutes)
        val sent = phone.sent.size
        phone.pass(1.days)
        assertEquals(sent, phone.sent.size)
        assertEquals(1, phone.network.sockets.size)
    }

    @Test
    fun `Many changes of apps in a moment lead to one registration`() = runTest {
        val phone = VirtualBridge(this)
        phone.network.onOpening = { it.greet(Capability.UNREGISTER) }
        phone.connect()
        phone.pass(2.minutes)
        val sent = phone.sent.size
        repeat(10) { phone.source.install(FakeApp.offering(VirtualBridge.NOTES, "search", "tool$it")) }
        phone.pass(1.minutes)
        assertEquals(sent + 1, phone.sent.size)
        assertTrue("notes__tool9" in phone.sent.last())
    }

    @Test
    fun `A gateway that floods the phone loses the connection`() = runTest {
        val phone = VirtualBridge(this) { it }.greeted()
        repeat(3000) { phone.network.sockets.first().say("""{"type":"result_acknowledged","id":"$it"}""") }
        runCurrent()
        assertTrue("${phone.bridge.status.value}", phone.bridge.status.value is BridgeStatus.Waiting)
    }
}
