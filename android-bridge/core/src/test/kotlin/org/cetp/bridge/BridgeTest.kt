package org.cetp.bridge

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.LiveBridge
import org.cetp.bridge.fakes.ScriptedGateway
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.protocol.CetpContract.Capability
import org.cetp.bridge.tools.ToolStanding
import org.cetp.bridge.tools.ToolState
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

/** The whole bridge on real sockets against a gateway that the test plays. */
class BridgeTest {
    @Requirement("cetp.2.3.request-id")
    @Test
    fun `An allowed app's tools are registered and called, and the answer comes back`() = playing(NOTES) {
        val connection = connected()
        val tools = connection.frame("register_tools")["tools"] as JsonArray
        assertEquals(listOf("notes__recent", "notes__search"), tools.map { text((it as JsonObject)["name"]) })
        connection.say(request("1", """{"q":9007199254740993}"""))
        val result = connection.frame("tool_result")
        assertEquals("""{"q":9007199254740993}""", text(result["output"]))
        val extras = source.calls.last().extras!!
        val args = """{"q":9007199254740993}"""
        assertEquals(mapOf("tool_name" to "search", "args" to args, "request_id" to "1"), extras)
        val record = await(bridge.calls) { it.singleOrNull()?.took != null }.single()
        assertEquals(CallOutcome.Answered(22), record.outcome)
    }

    @Test
    fun `A refused token stops the bridge until its owner does something`() = playing(NOTES) {
        gateway.refusal = 401
        bridge.connect(target)
        await(bridge.status) { it == BridgeStatus.Stopped(StopReason.TOKEN_REFUSED) }
        bridge.networkReturned()
        gateway.refusal = null
        bridge.connect(target.copy(token = "another"))
        assertEquals("Bearer another", gateway.next().request.getHeader("Authorization"))
        assertTrue(gateway.isQuiet())
    }

    @Test
    fun `A gateway that is overloaded is tried again`() = playing(NOTES) {
        gateway.refusal = 503
        bridge.connect(target)
        await(bridge.status) { it is BridgeStatus.Waiting }
        gateway.refusal = null
        bridge.networkReturned()
        gateway.next().greet()
        await(bridge.status) { it is BridgeStatus.Connected }
    }

    @Test
    fun `A connection that broke comes back with all its tools, and no answer of before is sent`() {
        val asked = CompletableDeferred<Unit>()
        val free = CompletableDeferred<Unit>()
        val app = FakeApp.offering("com.example.notes", "search", "recent") { _, args ->
            asked.complete(Unit)
            free.await()
            FakeApp.success(args)
        }
        playing(app) {
            val first = connected()
            first.frame("register_tools")
            first.say(request("old", "{}"))
            await(bridge.calls) { it.isNotEmpty() }
            first.close(1012)
            await(bridge.status) { it is BridgeStatus.Waiting }
            await(bridge.calls) { it.single().outcome == CallOutcome.Cancelled }
            bridge.networkReturned()
            val second = gateway.next()
            second.greet()
            second.frame("register_tools")
            free.complete(Unit)
            second.say(request("new", "{}"))
            assertEquals("new", text(second.frame("tool_result")["id"]))
        }
    }

    @Test
    fun `What the gateway holds back is shown beside its tool`() = playing(NOTES) {
        val connection = connected(Capability.REGISTRATION)
        connection.frame("register_tools")
        connection.say(
            """{"type":"tools_registered","count":2,"registered":2,"revision":3,"tools":[
            {"name":"notes__recent","public_name":"notes__recent","state":"accepted"},
            {"name":"notes__search","state":"quarantined","reason":"its schema has a loop"}]}""",
        )
        await(bridge.status) { it == BridgeStatus.Connected(tools = 1, held = 1) }
        val isJudged: (ToolState) -> Boolean = { it.standing is ToolStanding.HeldByGateway }
        val shown = await(bridge.providers) { all -> all.single().tools.any(isJudged) }
        val standings = shown.single().tools.associate { it.name to it.standing }
        assertEquals(ToolStanding.HeldByGateway("its schema has a loop"), standings["search"])
        assertEquals(ToolStanding.Offered, standings["recent"])
    }

    @Test
    fun `An app that is refused meanwhile is withdrawn, and a call that comes too late is denied`() = playing(NOTES) {
        val connection = connected(Capability.UNREGISTER)
        connection.frame("register_tools")
        bridge.allow("com.example.notes", allowed = false)
        val replaced = connection.frame("register_tools")
        assertEquals(JsonPrimitive(true), replaced["replace"])
        assertEquals(JsonArray(emptyList()), replaced["tools"])
        connection.say(request("late", "{}"))
        assertEquals("TOOL_NOT_FOUND", text(connection.frame("tool_error")["error_code"]))
    }

    @Test
    fun `A gateway without extensions works, and a withdrawn tool costs it a new connection`() = playing(NOTES) {
        val connection = connected()
        connection.frame("register_tools")
        connection.say("""{"type":"tools_registered","count":2,"registered":2}""")
        await(bridge.status) { it == BridgeStatus.Connected(tools = 2, held = 0) }
        source.install(FakeApp.offering("com.example.notes", "search"))
        assertEquals(1000, connection.end())
        await(bridge.status) { it is BridgeStatus.Waiting }
        bridge.networkReturned()
        val again = gateway.next()
        again.greet()
        assertEquals(1, (again.frame("register_tools")["tools"] as JsonArray).size)
    }

    @Test
    fun `A call that nobody waits for is dropped once`() {
        val app = FakeApp.offering("com.example.notes", "search", "recent") { tool, args ->
            if (tool == "search") awaitCancellation()
            FakeApp.success(args)
        }
        playing(app) {
            val connection = connected(Capability.CANCEL)
            connection.frame("register_tools")
            connection.say(request("1", "{}"))
            await(bridge.calls) { it.isNotEmpty() }
            repeat(2) { connection.say("""{"type":"tool_call_cancel","id":"1"}""") }
            await(bridge.calls) { it.single().outcome == CallOutcome.Cancelled }
            connection.say(request("2", "{}", tool = "notes__recent"))
            assertEquals("2", text(connection.frame()["id"]))
        }
    }

    @Test
    fun `A call is repeated for its owner alone`() = playing(NOTES) {
        val connection = connected()
        connection.frame("register_tools")
        connection.say(request("1", """{"q":1}"""))
        connection.frame("tool_result")
        bridge.repeat("1")
        val calls = await(bridge.calls) { all -> all.size == 2 && all.all { it.took != null } }
        assertEquals(listOf("""{"q":1}""", """{"q":1}"""), calls.map { it.arguments })
        assertEquals(CallOutcome.Answered(7), calls.first().outcome)
        assertEquals(emptyList<JsonObject>(), connection.rest())
    }

    @Test
    fun `An unencrypted address outside of private networks is not tried`() = playing(NOTES) {
        bridge.connect(target.copy(url = "http://203.0.113.9:42617"))
        await(bridge.status) { it == BridgeStatus.Stopped(StopReason.CLEARTEXT_REFUSED) }
    }

    @Test
    fun `Nothing secret and nothing of a call is logged`() = playing(NOTES) {
        val connection = connected()
        connection.frame("register_tools")
        connection.say(request("1", """{"q":"private"}"""))
        connection.frame("tool_result")
        connection.say("""{"type":"tool_call_request","id":"2","name":"notes__search","args":"private"}""")
        connection.frame("tool_error")
        connection.say("""{"type":"error","code":"MESSAGE_TOO_LONG","message":"private"}""")
        connection.close(1000)
        await(bridge.status) { it is BridgeStatus.Stopped }
        val logged = log.lines.joinToString("\n")
        assertFalse(logged, "private" in logged || "secret" in logged)
        assertTrue(logged, "MESSAGE_TOO_LONG" in logged)
    }

    private fun playing(app: FakeApp, play: LiveBridge.() -> Unit): Unit = LiveBridge(app).use {
        it.allowAll()
        it.play()
    }

    private fun LiveBridge.connected(vararg capabilities: String): ScriptedGateway.Connection {
        bridge.connect(target)
        return gateway.next().also { it.greet(*capabilities) }
    }

    private fun request(id: String, args: String, tool: String = "notes__search") =
        """{"type":"tool_call_request","id":"$id","name":"$tool","args":$args}"""

    private fun text(element: JsonElement?) = (element as JsonPrimitive).content

    private companion object {
        val NOTES = FakeApp.offering("com.example.notes", "search", "recent")
    }
}
