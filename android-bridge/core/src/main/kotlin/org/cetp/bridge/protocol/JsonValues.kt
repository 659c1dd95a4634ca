package org.cetp.bridge.protocol

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** Readings of JSON that another app wrote. */
internal object JsonValues {
    /** Levels that [parse] keeps; few enough for functions that call themselves, such as those of [JsonElement]. */
    private const val MAX_DEPTH = 100

    /**
     * The value of a text; null when it is not JSON or holds half a character.
     *
     * Objects and lists below [MAX_DEPTH] levels are empty in it, so whoever sets a limit on depth sets a lower one.
     */
    fun parse(text: String): JsonElement? =
        if (PlainText.hasHalfCharacter(text)) null else JsonText.shallow(text, MAX_DEPTH)?.let(Json::parseToJsonElement)

    /** A string, and not something that looks like one. */
    fun text(element: JsonElement?): String? = (element as? JsonPrimitive)?.takeIf { it.isString }?.content

    /** How far a value goes, looked at without recursion and no further than the limits. */
    fun extent(value: JsonElement, maxDepth: Int, maxLength: Int): Extent {
        var length = 0L
        val open = ArrayDeque<Pair<JsonElement, Int>>().apply { add(value to 1) }
        while (open.isNotEmpty()) {
            val (element, depth) = open.removeLast()
            if (depth > maxDepth && element !is JsonPrimitive) return Extent(tooDeep = true)
            val texts = texts(element)
            if (texts.any(PlainText::hasHalfCharacter)) return Extent(halfCharacter = true)
            length += PUNCTUATION + texts.sumOf { it.length + PUNCTUATION }
            if (length > maxLength) return Extent(tooLong = true)
            parts(element).forEach { open.add(it to depth + 1) }
        }
        return Extent()
    }

    private fun texts(element: JsonElement): Collection<String> = when (element) {
        is JsonPrimitive -> listOf(element.content)
        is JsonObject -> element.keys
        is JsonArray -> emptyList()
    }

    private fun parts(element: JsonElement): Collection<JsonElement> = when (element) {
        is JsonPrimitive -> emptyList()
        is JsonObject -> element.values
        is JsonArray -> element
    }

    /** Which limit a value is beyond, if any. */
    class Extent(val tooDeep: Boolean = false, val tooLong: Boolean = false, val halfCharacter: Boolean = false)

    /** Brackets, quotes, colons and commas around one value or key, about. */
    private const val PUNCTUATION = 2
}
