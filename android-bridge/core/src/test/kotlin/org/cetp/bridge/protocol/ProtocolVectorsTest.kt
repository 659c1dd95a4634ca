package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.fakes.SpecFiles
import org.cetp.bridge.fakes.SpecFiles.Vector
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters

/** Replies, tools and provider infos are taken and refused as the shared vectors say. */
@RunWith(Parameterized::class)
class ProtocolVectorsTest(private val vector: Vector) {
    @Test
    fun `A value is taken exactly when a receiver takes it`() {
        assertEquals(vector.valid || vector.name in TAKEN_ALL_THE_SAME, isTaken(vector))
    }

    private fun isTaken(vector: Vector): Boolean = when (vector.schema) {
        "reply" -> isReply(vector.data)
        "tool" -> isListed(listOf(vector.data))
        "parameters" -> isListed(listOf(toolWith(vector.data)))
        "list-tools-data" -> allUsable(ToolList.decode(vector.data.toString()))
        "provider-info" -> ProviderInfo.decode(vector.data.toString()) != null
        else -> error("no reader for ${vector.schema}")
    }

    /** Whether the reply was read as what it is, in place of an error that says what is wrong with it. */
    private fun isReply(data: JsonElement): Boolean {
        val keys = (SpecFiles.plain(data) as Map<*, *>?)?.mapKeys { it.key as String }
        return when (val reply = ProviderReply.of(keys)) {
            is ProviderReply.Success -> reply.data == keys?.get("data")
            is ProviderReply.Failure ->
                reply.code == keys?.get("error_code") && reply.message == (keys["error_message"] ?: "")
        }
    }

    private fun toolWith(parameters: JsonElement): JsonObject =
        JsonObject(mapOf("name" to text("get"), "description" to text("Get."), "parameters" to parameters))

    private fun isListed(tools: List<JsonElement>): Boolean =
        allUsable(ToolList.decode(JsonObject(mapOf("tools" to JsonArray(tools))).toString()))

    private fun allUsable(list: ToolList): Boolean = when (list) {
        is ToolList.Broken -> false
        is ToolList.Listed -> list.entries.all { it is ListedTool.Usable }
    }

    private fun text(value: String) = JsonPrimitive(value)

    companion object {
        @JvmStatic
        @Parameters(name = "{0}")
        fun vectors(): List<Vector> =
            listOf("replies", "tools", "list_tools", "provider_info").flatMap(SpecFiles::vectors)

        /** What a careful sender does not send and a bridge takes nevertheless, by the section that says so. */
        private val TAKEN_ALL_THE_SAME = setOf(
            // Spec 6: a code that nobody knows is passed on.
            "a reply that failed: a code of the provider's own",
            "a reply that failed: a code in small letters",
            // Spec 5.2 asks for a message; an error without one is an error all the same.
            "a reply that failed: no message",
            // Spec 5.3: hint and intent are optional, and what is no text is no hint.
            "AUTH_REQUIRED and its optional fields: an intent that is an object",
            "AUTH_REQUIRED and its optional fields: a hint that is null",
            // Spec 7.3: below the root only a schema refuses these; the gateway repairs or holds them.
            "parameters as a schema: an exclusive minimum of draft 4",
            "parameters as a schema: required on the property, as in draft 3",
            "parameters as a schema: items as a list, as in draft 7",
            "parameters as a schema: a type that JSON does not have",
            "parameters as a schema: a property without a schema",
            "parameters as a schema: the same name required twice",
            "parameters as a schema: an empty choice",
            "parameters as a schema: allowed values that are no list",
            "parameters as a schema: a negative length",
            "parameters as a schema: a limit written as text",
        )
    }
}
