package org.cetp.bridge.fakes

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.int
import org.cetp.bridge.BridgeStatus
import org.junit.Assert.assertEquals

/** Plays the gateway of a conversation to a bridge (spec 14.3). */
class ConversationPlayer(private val phone: LiveBridge, private val conversation: Conversation) {
    private val patterns = Patterns()

    /** Frames that came before their step was due: answers may come in any order (spec 13.2). */
    private val early = ArrayList<JsonObject>()

    /** Ids of calls for whose answers nobody waits any more; a bridge may keep silent about them (spec 13.4). */
    private val cancelled = HashSet<JsonElement>()

    /** All steps; in the end the bridge has said its lines and no others. */
    fun play() {
        rehearse()
        phone.bridge.connect(phone.target)
        val connection = phone.gateway.next()
        conversation.steps.forEach { play(it, connection) }
        assertEquals(emptyList<JsonObject>(), early + connection.rest())
    }

    /** The bridge knows the apps when it has registered their tools once. */
    private fun rehearse() {
        if (conversation.steps.none { isOfType(it["device"], "register_tools") }) return
        phone.allowAll()
        phone.bridge.connect(phone.target)
        val connection = phone.gateway.next()
        connection.greet()
        connection.frame("register_tools")
        phone.bridge.disconnect()
        connection.end()
    }

    private fun play(step: JsonObject, connection: ScriptedGateway.Connection) {
        step["gateway"]?.let { lines -> (lines as? JsonArray ?: listOf(lines)).forEach { say(it, connection) } }
        step["gateway_closes"]?.let { close((it as JsonPrimitive).int, connection) }
        step["device"]?.let { if (isDue(it as JsonObject)) expect(said(it), connection) }
    }

    /** What the owner says, they say now, as soon as they have been asked. */
    private fun said(pattern: JsonObject): JsonObject {
        val owner = TestOwner(phone)
        val told = patterns.fill(pattern) as JsonObject
        if (isOfType(pattern, "approval_response")) owner.decides(told)
        if (isOfType(pattern, "ask_user_response")) owner.replies(told)
        return inAnyOrder(pattern)
    }

    /** The order of the tools in a registration means nothing; this bridge sorts them. */
    private fun inAnyOrder(pattern: JsonObject): JsonObject = when {
        isOfType(pattern, "register_tools") ->
            JsonObject(pattern + ("tools" to JsonObject(mapOf("\$unordered" to pattern.getValue("tools")))))
        else -> pattern
    }

    private fun say(pattern: JsonElement, connection: ScriptedGateway.Connection) {
        val frame = patterns.fill(pattern) as JsonObject
        if (isOfType(frame, "tool_call_cancel")) cancelled += frame.getValue("id")
        connection.say(frame)
    }

    private fun isDue(pattern: JsonObject): Boolean {
        val id = ((pattern["id"] as? JsonObject)?.get("\$saved") as? JsonPrimitive)?.let { patterns.saved(it.content) }
        return id !in cancelled && SAID_BY_PEOPLE.none { isOfType(pattern, it) }
    }

    private fun expect(pattern: JsonObject, connection: ScriptedGateway.Connection) {
        if (early.removeFirst { patterns.fits(pattern, it) }) return
        while (true) {
            val frame = connection.frame()
            if (patterns.fits(pattern, frame)) return
            check(early.size < MOST_EARLY) { "instead of $pattern came $early" }
            early += frame
        }
    }

    private fun close(code: Int, connection: ScriptedGateway.Connection) {
        connection.close(code)
        if (code in FOR_GOOD) {
            phone.await(phone.bridge.status) { it is BridgeStatus.Stopped }
        } else {
            phone.await(phone.bridge.status) { it is BridgeStatus.Waiting }
            phone.bridge.networkReturned()
            phone.gateway.next()
        }
    }

    private fun isOfType(frame: JsonElement?, type: String) = (frame as? JsonObject)?.get("type") == JsonPrimitive(type)

    private fun <T> MutableList<T>.removeFirst(isIt: (T) -> Boolean): Boolean =
        indexOfFirst(isIt).also { if (it >= 0) removeAt(it) } >= 0

    private companion object {
        /** Lines of a person beside the bridge, which itself has nobody who types. */
        val SAID_BY_PEOPLE = listOf("message", "regenerate", "abort")

        /** Close codes after which a device does not come back by itself (spec 13.3). */
        val FOR_GOOD = setOf(1000, 4401, 4403, 4409)
        const val MOST_EARLY = 8
    }
}
