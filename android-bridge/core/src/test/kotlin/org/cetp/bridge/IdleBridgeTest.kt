package org.cetp.bridge

import kotlinx.coroutines.plus
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.CountingDispatcher
import org.cetp.bridge.fakes.FakeProviderSource
import org.cetp.bridge.fakes.VirtualBridge
import org.cetp.bridge.protocol.CetpContract.Capability
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.minutes

class IdleBridgeTest {
    @Test
    fun `Given a connection and apps that are well, when a week passes, then the bridge is never awake`() = runTest {
        val dispatcher = CountingDispatcher(StandardTestDispatcher(testScheduler))
        val source = FakeProviderSource(VirtualBridge.app { it })
        val bridge = VirtualBridge(this, source, backgroundScope + dispatcher)
        bridge.greeted(Capability.UNREGISTER, Capability.SHARED)
        bridge.pass(5.minutes)
        assertTrue("it has been awake to get here", dispatcher.wakeUps > 0)
        dispatcher.wakeUps = 0
        val sent = bridge.sent.size
        bridge.pass(7.days)
        assertEquals(0, dispatcher.wakeUps)
        assertEquals(sent, bridge.sent.size)
        bridge.ask("still-there")
        bridge.pass(1.minutes)
        assertTrue("a call wakes it", bridge.sent.last().contains("still-there"))
    }
}
