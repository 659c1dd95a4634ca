package org.cetp.bridge.person

import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.NOW
import org.cetp.bridge.fakes.VirtualBridge
import org.cetp.bridge.fakes.asks
import org.cetp.bridge.fakes.asksWhich
import org.cetp.bridge.fakes.ended
import org.cetp.bridge.fakes.open
import org.cetp.bridge.fakes.responses
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.CetpContract.Capability
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.Question
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.RequestKey
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** What the gateway asks the owner, seen at the whole bridge on virtual time. */
class RequestsTest {
    @Test
    fun `A decision is sent with the digest that was shown, once, and the request ends when it is taken`() = onPhone {
        asks("a1", digest = "d1")
        bridge.decide("a1", Decision.Allow(ApprovalScope.ONCE))
        bridge.decide("a1", Decision.Deny)
        pass(NOW)
        val allowed = """{"type":"approval_response","id":"a1","digest":"d1","decision":"allow","scope":"once"}"""
        assertEquals(listOf(allowed), responses())
        assertEquals(Decision.Allow(ApprovalScope.ONCE), open().single().answer)
        network.last.say("""{"type":"approval_ack","id":"a1","status":"accepted"}""")
        pass(NOW)
        assertTrue(open().isEmpty())
        assertEquals(RequestEnd.ALLOWED, ended().single().end)
    }

    @Test
    fun `What was answered elsewhere disappears, and who answered is kept`() = onPhone {
        asks("a1")
        network.last.say("""{"type":"approval_closed","id":"a1","decision":"denied","by":"tablet"}""")
        pass(NOW)
        assertTrue(open().isEmpty())
        assertEquals(EndedRequest(key("a1"), RequestEnd.DENIED, "tablet"), ended().single())
        bridge.decide("a1", Decision.Deny)
        pass(NOW)
        assertEquals(emptyList<String>(), responses())
    }

    @Test
    fun `Nothing can be said that the request does not take`() = onPhone {
        asks("a1", scopes = "\"once\"")
        val words = "x".repeat(60_000)
        asks("a2", args = """{"text":"$words"}""")
        asksWhich("q1", others = false)
        asksWhich("q2", others = true)
        bridge.decide("a1", Decision.Allow(ApprovalScope.ALWAYS))
        bridge.decide("a2", Decision.Allow(ApprovalScope.ONCE))
        bridge.reply("q1", Reply.Said("red"))
        bridge.reply("q2", Reply.Said(" "))
        bridge.decide("q2", Decision.Deny)
        pass(NOW)
        assertEquals(emptyList<String>(), responses())
        bridge.decide("a2", Decision.Deny)
        bridge.reply("q1", Reply.Said("blue"))
        bridge.reply("q2", Reply.Said("red"))
        pass(NOW)
        assertEquals(3, responses().size)
    }

    @Test
    fun `A question is answered in words or declined, and asked again when the answer is not taken`() = onPhone {
        asksWhich("q1", others = true)
        bridge.reply("q1", Reply.Said("red"))
        pass(NOW)
        network.last.say("""{"type":"ask_user_ack","request_id":"q1","status":"rejected","error":"Too red."}""")
        pass(NOW)
        assertEquals("Too red.", open().single().refusal)
        bridge.reply("q1", Reply.Declined)
        pass(NOW)
        assertEquals(
            listOf(
                """{"type":"ask_user_response","request_id":"q1","status":"answered","answer":"red"}""",
                """{"type":"ask_user_response","request_id":"q1","status":"declined"}""",
            ),
            responses(),
        )
        network.last.say("""{"type":"ask_user_closed","request_id":"q1","status":"declined","by":"phone-1"}""")
        pass(NOW)
        assertEquals(RequestEnd.DECLINED to null, ended().single().let { it.end to it.by })
    }

    @Test
    fun `A phone that may not decide says so`() = onPhone {
        asks("a1")
        bridge.decide("a1", Decision.Deny)
        pass(NOW)
        network.last.say("""{"type":"approval_ack","id":"a1","status":"not_allowed"}""")
        pass(NOW)
        assertEquals(RequestEnd.NOT_ALLOWED, ended().single().end)
    }

    @Test
    fun `The owner who does not want to be asked here is not, and what was open is gone`() = onPhone {
        asks("a1")
        network.onOpening = { it.greet(*BOTH) }
        bridge.decideHere(false)
        pass(NOW)
        assertTrue(open().isEmpty())
        assertEquals(2, network.sockets.size)
        assertFalse(Capability.APPROVALS in network.last.sent.first())
        assertFalse(Capability.QUESTIONS in network.last.sent.first())
        asks("a2")
        assertTrue(open().isEmpty())
        bridge.decideHere(true)
        pass(NOW)
        assertTrue(Capability.APPROVALS in network.last.sent.first())
        asks("a2")
        assertEquals(1, open().size)
    }

    @Test
    fun `A gateway without the capability asks nobody, and one that is left has nothing open`() = runTest {
        val phone = VirtualBridge(this).greeted(Capability.QUESTIONS)
        phone.asks("a1")
        assertTrue(phone.open().isEmpty())
        phone.asksWhich("q1", others = true)
        assertEquals(1, phone.open().size)
        phone.bridge.disconnect()
        phone.pass(NOW)
        assertTrue(phone.open().isEmpty())
    }

    @Test
    fun `A gateway that asks without end costs the phone a bounded number of requests`() = onPhone {
        repeat(PersonRequests.MOST_OPEN + 9) { asks("a$it") }
        assertEquals(PersonRequests.MOST_OPEN, open().size)
        repeat(PersonRequests.MOST_OPEN) {
            network.last.say("""{"type":"approval_closed","id":"a$it","decision":"cancelled"}""")
        }
        pass(NOW)
        assertEquals(PersonRequests.MOST_ENDED, ended().size)
    }

    @Test
    fun `A request says everything that its owner has to know`() = onPhone {
        asks("a1", milliseconds = 60_000)
        val request = open().single().request as ApprovalRequest
        assertEquals("notes__add by agent on pixel", "${request.tool} by ${request.caller} on ${request.device}")
        assertEquals("{\n  \"text\": \"milk\"\n}", request.arguments.text)
        asksWhich("q1", others = false)
        assertEquals(listOf("blue", "green"), (open().last().request as Question).options.map { it.label })
        assertEquals(false, "milk" in request.toString() || "blue" in open().last().toString())
    }

    private fun onPhone(test: VirtualBridge.() -> Unit) = runTest { VirtualBridge(this).greeted(*BOTH).test() }

    private fun key(id: String) = RequestKey(RequestKey.Kind.APPROVAL, id)

    private companion object {
        val BOTH = arrayOf(Capability.APPROVALS, Capability.QUESTIONS)
    }
}
