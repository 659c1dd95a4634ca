package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/**
 * The parameters of a tool, as far as a bridge judges them: the root describes an object (spec 7.3).
 *
 * What stands deeper is the gateway's to check, repair or hold.
 */
internal sealed interface ToolParameters {
    /** @property schema with `type` and `properties` at its root, whatever the provider left out. */
    data class Taken(val schema: JsonObject) : ToolParameters

    data class Refused(val reason: String) : ToolParameters

    companion object {
        /** Objects and lists inside one another. */
        const val MAX_DEPTH: Int = 64

        /** UTF-16 units of the schema as JSON text, about. */
        const val MAX_LENGTH: Int = 262_144

        private const val TYPE = "type"
        private const val PROPERTIES = "properties"
        private val OBJECT = JsonPrimitive("object")
        private val NOTHING = JsonObject(emptyMap())

        /** Read what an entry has under `parameters`; null when it has nothing there. */
        fun decode(parameters: JsonElement?): ToolParameters = when (parameters) {
            null, JsonNull -> Taken(completed(NOTHING))
            !is JsonObject -> Refused("its parameters are no object")
            else -> objection(parameters)?.let(::Refused) ?: Taken(completed(parameters))
        }

        private fun objection(schema: JsonObject): String? {
            val type = schema[TYPE]
            val properties = schema[PROPERTIES]
            return when {
                type != null && type != OBJECT -> "its parameters describe something else than an object"
                properties != null && properties !is JsonObject -> "the \"properties\" of its parameters are no object"
                else -> tooMuch(schema)
            }
        }

        private fun tooMuch(schema: JsonObject): String? {
            val extent = JsonValues.extent(schema, MAX_DEPTH, MAX_LENGTH)
            return when {
                extent.tooDeep -> "its parameters are nested more than $MAX_DEPTH levels deep"
                extent.tooLong -> "its parameters have more than $MAX_LENGTH characters"
                extent.halfCharacter -> "its parameters hold half a character"
                else -> null
            }
        }

        /** Arguments are always an object, so saying it changes no meaning; models' vendors want it said. */
        private fun completed(schema: JsonObject): JsonObject {
            if (TYPE in schema && PROPERTIES in schema) return schema
            return JsonObject(mapOf(TYPE to OBJECT, PROPERTIES to NOTHING) + schema)
        }
    }
}
