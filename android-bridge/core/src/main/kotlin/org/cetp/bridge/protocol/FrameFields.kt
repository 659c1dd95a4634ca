package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

internal fun JsonObject.text(key: String): String? = text(get(key))

internal fun JsonObject.id(key: String): String? = text(key)?.takeIf { it.isNotEmpty() }

internal fun text(element: JsonElement?): String? = (element as? JsonPrimitive)?.takeIf { it.isString }?.content

/** An integer from 0 on; one that no `Int` holds counts as the largest. */
internal fun count(element: JsonElement?): Int? =
    whole(element)?.takeIf { it >= 0 }?.coerceAtMost(Int.MAX_VALUE.toLong())?.toInt()

/** A count of milliseconds. */
internal fun length(element: JsonElement?): Duration? = count(element)?.milliseconds

internal fun whole(element: JsonElement?): Long? {
    val primitive = element as? JsonPrimitive ?: return null
    if (primitive.isString || primitive.content.any { it !in '0'..'9' && it != '-' }) return null
    val beyond = if (primitive.content.startsWith('-')) Long.MIN_VALUE else Long.MAX_VALUE
    return primitive.content.toLongOrNull() ?: beyond
}

internal fun lacking(type: String, field: String): GatewayFrame.Unreadable =
    GatewayFrame.Unreadable("$type has no usable $field")
