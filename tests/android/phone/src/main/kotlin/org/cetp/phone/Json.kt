package org.cetp.phone

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonPrimitive

/** The text under a key; throws IllegalStateException when there is none. */
fun JsonObject.text(key: String): String = checkNotNull(get(key)) { "no $key" }.jsonPrimitive.content

/** The number under a key; throws IllegalStateException when there is none. */
fun JsonObject.number(key: String): Int = text(key).toInt()

/** The texts in the list under a key. */
fun JsonObject.texts(key: String): List<String> = getValue(key).jsonArray.map { it.jsonPrimitive.content }

/** An object of these keys: texts, numbers, truth values, JSON, and null. */
fun jsonOf(vararg parts: Pair<String, Any?>): JsonObject = buildJsonObject {
    parts.forEach { (key, value) -> put(key, element(value)) }
}

private fun element(value: Any?): JsonElement = when (value) {
    is JsonElement -> value
    is Number -> JsonPrimitive(value)
    is Boolean -> JsonPrimitive(value)
    null -> JsonPrimitive(null as String?)
    else -> JsonPrimitive(value.toString())
}
