package org.cetp.bridge.fakes

import kotlinx.coroutines.awaitCancellation
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.tools.CallResult

/** One file of `vectors/conversations` (spec 14.3). */
class Conversation(private val name: String, private val content: JsonObject) {
    val steps: List<JsonObject> = content.getValue("steps").jsonArray.map { it.jsonObject }

    val requires: List<String> = (content["requires"] as? JsonArray).orEmpty().map { (it as JsonPrimitive).content }

    /** It says which apps are on the phone, and no line of the device is wrong on purpose. */
    val isForBridges: Boolean = "providers" in content && steps.none { "wrong" in it || "device_text" in it }

    /** How the device introduces itself. */
    val connect: JsonObject
        get() = steps.mapNotNull { it["device"] as? JsonObject }.first { it["type"] == JsonPrimitive("connect") }

    /** The apps on the phone. */
    fun apps(): List<FakeApp> =
        content.getValue("providers").jsonObject.map { (name, app) -> app(name, app.jsonObject) }

    override fun toString(): String = name

    private fun app(packageName: String, app: JsonObject): FakeApp {
        val tools = app.getValue("tools").jsonArray.map { it.jsonObject }
        val replies = app.getValue("replies").jsonObject
        return FakeApp(packageName) { method, extras ->
            when (method) {
                CetpContract.Method.LIST_TOOLS -> FakeApp.success(FakeApp.listOfTools(tools))
                CetpContract.Method.EXECUTE_TOOL -> reply(replies.getValue(extras!![CetpContract.Extra.TOOL_NAME]!!))
                else -> FakeApp.failure("TOOL_NOT_FOUND", "no method $method")
            }
        }
    }

    private suspend fun reply(reply: JsonElement): CallResult {
        if (reply !is JsonObject) awaitCancellation()
        return CallResult.Answered(reply.mapValues { SpecFiles.plain(it.value) })
    }

    companion object {
        private const val FOLDER = "vectors/conversations"

        fun all(): List<Conversation> =
            SpecFiles.names(FOLDER).map { Conversation(it, SpecFiles.json("$FOLDER/$it").jsonObject) }
    }
}
