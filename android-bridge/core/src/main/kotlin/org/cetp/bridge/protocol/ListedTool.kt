package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

/** One entry of a provider's list (spec 7). */
public sealed interface ListedTool {
    /** As the provider gave it; for an entry that gave none, its place in the list. */
    public val name: String

    /** It can be offered as far as its entry goes. */
    public data class Usable(val spec: ToolSpec) : ListedTool {
        override val name: String get() = spec.name
    }

    /** It cannot be offered. @property reason for the owner and the app's author. */
    public data class Unusable(override val name: String, val reason: String) : ListedTool

    public companion object {
        /** Characters of a tool's name. */
        public const val MAX_NAME: Int = 256

        /** Characters of a description; a longer one is cut. */
        public const val MAX_DESCRIPTION: Int = 16_384

        /** Read an entry. @param index its place in the list, from 0. */
        internal fun decode(entry: JsonElement, index: Int): ListedTool {
            if (entry !is JsonObject) return Unusable(place(index), "it is no object")
            val name = JsonValues.text(entry["name"]).orEmpty()
            return when {
                name.isEmpty() -> Unusable(place(index), "it has no name")
                name.length > MAX_NAME ->
                    Unusable(PlainText.line(name, SHOWN), "its name has more than $MAX_NAME characters")
                PlainText.hasHalfCharacter(name) || '\u0000' in name ->
                    Unusable(PlainText.line(name, SHOWN), "its name holds U+0000 or half a character")
                else -> described(name, entry)
            }
        }

        private fun described(name: String, entry: JsonObject): ListedTool {
            val description = JsonValues.text(entry["description"])
            if (description.isNullOrEmpty()) return Unusable(name, "it has no description")
            return when (val parameters = ToolParameters.decode(entry["parameters"])) {
                is ToolParameters.Refused -> Unusable(name, parameters.reason)
                is ToolParameters.Taken ->
                    Usable(ToolSpec(name, PlainText.paragraph(description, MAX_DESCRIPTION), parameters.schema))
            }
        }

        internal fun place(index: Int): String = "#${index + 1}"

        private const val SHOWN = 100
    }
}
