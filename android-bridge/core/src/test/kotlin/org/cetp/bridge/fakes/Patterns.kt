package org.cetp.bridge.fakes

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.doubleOrNull

/** Patterns of one conversation (spec 14.4), and the values that it has saved so far. */
class Patterns {
    private val saved = HashMap<String, JsonElement>()
    private var used = FIRST_VALUE

    /** Whether a value fits; what it saves is remembered only if all of it does. */
    fun fits(pattern: JsonElement, value: JsonElement): Boolean {
        val found = HashMap<String, JsonElement>()
        return fits(pattern, value, found).also { if (it) saved += found }
    }

    /** A value that fits, for whoever sends it (spec 14.3). */
    fun fill(pattern: JsonElement): JsonElement = when (pattern) {
        is JsonPrimitive -> pattern
        is JsonArray -> JsonArray(pattern.map(::fill))
        is JsonObject -> if (isMatcher(pattern)) fillMatcher(pattern) else filled(pattern)
    }

    /** The value that was saved under a name. */
    fun saved(name: String): JsonElement? = saved[name]

    private fun filled(pattern: JsonObject): JsonObject {
        val present = pattern.filterValues { !isAbsent(it) }
        return JsonObject(present.mapValues { fill(it.value) })
    }

    private fun isAbsent(pattern: JsonElement) = (pattern as? JsonObject)?.containsKey("\$absent") == true

    private fun fillMatcher(matcher: JsonObject): JsonElement {
        matcher["\$saved"]?.let { return saved.getValue(text(it)) }
        matcher["\$unordered"]?.let { return fill(it) }
        val value = unused(matcher["\$any"]?.let(::text))
        matcher["\$save"]?.let { saved[text(it)] = value }
        return value
    }

    private fun unused(type: String?): JsonElement {
        used++
        return when (type) {
            "integer", "number" -> JsonPrimitive(used)
            "boolean" -> JsonPrimitive(true)
            "object" -> JsonObject(mapOf("value" to JsonPrimitive(used)))
            "array" -> JsonArray(listOf(JsonPrimitive(used)))
            else -> JsonPrimitive("value-$used")
        }
    }

    private fun fits(pattern: JsonElement, value: JsonElement, found: MutableMap<String, JsonElement>): Boolean = when {
        pattern is JsonObject && isMatcher(pattern) -> fitsMatcher(pattern, value, found)
        pattern is JsonObject -> value is JsonObject && pattern.all { (key, part) -> fitsKey(part, value[key], found) }
        pattern is JsonArray -> value is JsonArray && fitsInOrder(pattern, value, found)
        else -> pattern == value
    }

    private fun fitsInOrder(patterns: JsonArray, values: JsonArray, found: MutableMap<String, JsonElement>): Boolean =
        patterns.size == values.size && patterns.indices.all { fits(patterns[it], values[it], found) }

    private fun fitsKey(pattern: JsonElement, value: JsonElement?, found: MutableMap<String, JsonElement>): Boolean =
        if (value == null) isAbsent(pattern) else fits(pattern, value, found)

    private fun fitsMatcher(matcher: JsonObject, value: JsonElement, found: MutableMap<String, JsonElement>): Boolean {
        if ("\$absent" in matcher) return false
        matcher["\$saved"]?.let { return value == (found[text(it)] ?: saved[text(it)]) }
        matcher["\$unordered"]?.let { return value is JsonArray && fitsUnordered(it as JsonArray, value, found) }
        matcher["\$save"]?.let { found[text(it)] = value }
        return matcher["\$any"]?.let { isOfType(value, text(it)) } ?: true
    }

    private fun fitsUnordered(patterns: JsonArray, values: JsonArray, found: MutableMap<String, JsonElement>): Boolean {
        val left = patterns.toMutableList()
        return patterns.size == values.size && values.all { value ->
            val index = left.indexOfFirst { fits(it, value, found) }
            if (index >= 0) left.removeAt(index)
            index >= 0
        }
    }

    private fun isOfType(value: JsonElement, type: String): Boolean = when (type) {
        "string" -> value is JsonPrimitive && value.isString
        "integer" -> value is JsonPrimitive && !value.isString && value.content.toBigIntegerOrNull() != null
        "number" -> value is JsonPrimitive && !value.isString && value.doubleOrNull != null
        "boolean" -> value is JsonPrimitive && !value.isString && value.booleanOrNull != null
        "object" -> value is JsonObject
        "array" -> value is JsonArray
        else -> true
    }

    private fun isMatcher(pattern: JsonObject) = pattern.keys.any { it in MATCHERS }

    private fun text(element: JsonElement) = (element as JsonPrimitive).content

    private companion object {
        val MATCHERS = setOf("\$any", "\$save", "\$saved", "\$absent", "\$unordered")

        /** Values count up from here: as a limit it is one that a gateway may have. */
        const val FIRST_VALUE = 1_000_000
    }
}
