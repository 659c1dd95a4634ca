package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

/** What a provider says of itself to people (spec 4.3); nothing is decided by it. */
public data class ProviderInfo(val name: String, val description: String?, val scopes: List<Scope>) {
    /** A range of data that the user may grant. */
    public data class Scope(val name: String, val description: String?)

    public companion object {
        private const val MAX_LENGTH = 100_000
        private const val MAX_NAME = 100
        private const val MAX_DESCRIPTION = 1_000
        private const val MAX_SCOPES = 50

        /** Read the `data` of a `get_provider_info` reply, cut to what a screen shows; null when it is wrong. */
        public fun decode(data: String): ProviderInfo? {
            if (data.length > MAX_LENGTH) return null
            val content = JsonValues.parse(data) as? JsonObject ?: return null
            val name = name(content["provider_name"]) ?: return null
            val scopes = scopes(content["scopes"]) ?: return null
            return ProviderInfo(name, description(content), scopes)
        }

        private fun scopes(element: JsonElement?): List<Scope>? = when (element) {
            null -> emptyList()
            is JsonArray -> element.take(MAX_SCOPES).map { scope(it) ?: return null }
            else -> null
        }

        private fun scope(element: JsonElement): Scope? {
            val content = element as? JsonObject ?: return null
            return name(content["name"])?.let { Scope(it, description(content)) }
        }

        private fun name(element: JsonElement?): String? =
            JsonValues.text(element)?.let { PlainText.line(it, MAX_NAME) }?.takeIf { it.isNotEmpty() }

        private fun description(content: JsonObject): String? =
            JsonValues.text(content["description"])?.let { PlainText.paragraph(it, MAX_DESCRIPTION) }
    }
}
