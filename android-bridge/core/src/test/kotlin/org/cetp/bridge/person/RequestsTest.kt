package org.cetp.bridge.person

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.VirtualBridge
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
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What the gateway asks the owner, seen at the whole bridge on virtual time. */
@OptIn(ExperimentalCoroutinesApi::class)
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

    private fun onPhone(test: VirtualBridge.() -> Unit) = runTest { greetedPhone().test() }

    private fun TestScope.greetedPhone() = VirtualBridge(this).greeted(*BOTH)

    private fun VirtualBridge.asks(
        id: String,
        digest: String = "d",
        scopes: String = """"once","session","always"""",
        args: String = """{"text":"milk"}""",
        milliseconds: Long = 120_000,
    ) {
        network.last.say(
            """{"type":"approval_request","id":"$id","digest":"$digest","tool":"notes__add","args":$args,""" +
                """"effect":"writes","scopes":[$scopes],"expires_in_ms":$milliseconds,"device":"pixel","caller":"agent"}""",
        )
        pass(NOW)
    }

    private fun VirtualBridge.asksWhich(id: String, others: Boolean) {
        network.last.say(
            """{"type":"ask_user_request","request_id":"$id","question":"Which?","other_answers":$others,""" +
                """"options":[{"id":"1","label":"blue"},{"id":"2","label":"green"}]}""",
        )
        pass(NOW)
    }

    private fun VirtualBridge.open() = bridge.requests.value.open

    private fun VirtualBridge.ended() = bridge.requests.value.ended

    /** What was answered on the newest socket. */
    private fun VirtualBridge.responses() = sent.filter { "_response" in it }

    private fun key(id: String) = RequestKey(RequestKey.Kind.APPROVAL, id)

    private companion object {
        val NOW = 1.milliseconds
        val BOTH = arrayOf(Capability.APPROVALS, Capability.QUESTIONS)
    }
}
