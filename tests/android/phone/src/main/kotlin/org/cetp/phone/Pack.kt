package org.cetp.phone

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.put
import org.cetp.bridge.protocol.CetpContract.Reply

/**
 * An app as data, in the form of the virtual phone's packs (`pack.schema.json`), of which it takes names, words,
 * authorisation, and replies with fixed data.
 */
class Pack(private val json: JsonObject) {
    val packageName = json.text("package")
    val label = json.text("label")
    val version = json["version"]?.let { (it as JsonPrimitive).content } ?: "1.0"
    val authorisation: JsonObject? = json["authorisation"]?.jsonObject

    private val tools = json["tools"]?.jsonArray.orEmpty().map { it.jsonObject }

    /** What `list_tools` answers. */
    fun listed(): Map<String, String> {
        val entries = tools.map { tool -> JsonObject(tool.filterKeys { it in LISTED }) }
        return success(buildJsonObject { put("tools", JsonArray(entries)) })
    }

    /** What a call of a tool answers. @param args JSON text. */
    fun answer(name: String?, args: String): Map<String, String> {
        val tool = tools.firstOrNull { it.text("name") == name } ?: return failure("TOOL_NOT_FOUND", "no tool $name")
        val given = Json.parseToJsonElement(args).jsonObject
        val reply = tool.getValue("replies").jsonArray.map { it.jsonObject }.first { it.fits(given) }
        return success(reply.getValue("data"))
    }

    /** What every call is answered until the owner has authorised the app. */
    fun authRequired(said: JsonObject): Map<String, String> =
        failure("AUTH_REQUIRED", said.text("message")) +
            mapOf(Reply.RESOLUTION_HINT to said.text("hint"), Reply.AUTHORIZE_INTENT to said.text("intent"))

    private fun JsonObject.fits(given: JsonObject) =
        get("when")?.jsonObject.orEmpty().all { (name, value) -> given[name] == value }

    private fun success(data: JsonElement) = mapOf(Reply.STATUS to "success", Reply.DATA to data.toString())

    private fun failure(code: String, message: String) =
        mapOf(Reply.STATUS to "error", Reply.ERROR_CODE to code, Reply.ERROR_MESSAGE to message)

    private companion object {
        val LISTED = setOf("name", "description", "parameters")
    }
}
