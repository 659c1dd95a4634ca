package org.cetp.bridge.person

import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.NOW
import org.cetp.bridge.fakes.VirtualBridge
import org.cetp.bridge.fakes.asks
import org.cetp.bridge.fakes.ended
import org.cetp.bridge.fakes.open
import org.cetp.bridge.fakes.responses
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.CetpContract.Capability
import org.cetp.bridge.protocol.Decision
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.seconds

/** What the gateway asks the owner while connections come and go, on virtual time. */
class RequestsOverReconnectsTest {
    @Test
    fun `A request runs out by itself where no gateway is left to say so`() = onPhone {
        asks("a1", milliseconds = 90_000)
        network.onOpening = { it.fail() }
        network.last.end(1012)
        pass(89.seconds)
        assertEquals(1, open().size)
        pass(2.seconds)
        assertTrue(open().isEmpty())
        assertEquals(RequestEnd.EXPIRED, ended().single().end)
    }

    @Test
    fun `After a reconnect what the gateway asks again is still there and what it does not is gone`() = onPhone {
        asks("a1")
        asks("a2")
        network.onOpening = { it.greet(*BOTH) }
        network.last.end(1012)
        pass(3.seconds)
        asks("a2", milliseconds = 100_000)
        assertEquals(listOf(false, true), open().map { it.isConfirmed })
        pass(6.seconds)
        assertEquals(listOf("a2"), open().map { it.key.id })
        assertEquals(RequestEnd.CLOSED, ended().single().end)
    }

    @Test
    fun `An answer that was lost with its connection is sent again when the gateway asks again`() = onPhone {
        asks("a1", digest = "d1")
        bridge.decide("a1", Decision.Deny)
        pass(NOW)
        network.onOpening = { it.greet(*BOTH) }
        network.last.end(1012)
        pass(3.seconds)
        assertEquals(emptyList<String>(), responses())
        asks("a1", digest = "d1")
        assertEquals(listOf("""{"type":"approval_response","id":"a1","digest":"d1","decision":"deny"}"""), responses())
    }

    @Test
    fun `A decision is never sent for another call that comes under the same id`() = onPhone {
        asks("a1", digest = "d1")
        bridge.decide("a1", Decision.Allow(ApprovalScope.ALWAYS))
        pass(NOW)
        network.onOpening = { it.greet(*BOTH) }
        network.last.end(1012)
        pass(3.seconds)
        asks("a1", digest = "d2")
        assertEquals(emptyList<String>(), responses())
        assertEquals(null, open().single().answer)
    }

    @Test
    fun `A decision while there is no connection waits for it`() = onPhone {
        asks("a1")
        network.onOpening = { it.fail() }
        network.last.end(1012)
        pass(1.seconds)
        bridge.decide("a1", Decision.Deny)
        network.onOpening = { it.greet(*BOTH) }
        bridge.networkReturned()
        pass(NOW)
        asks("a1")
        assertEquals(1, responses().size)
    }

    private fun onPhone(test: VirtualBridge.() -> Unit) = runTest { VirtualBridge(this).greeted(*BOTH).test() }

    private companion object {
        val BOTH = arrayOf(Capability.APPROVALS, Capability.QUESTIONS)
    }
}
