package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonObject

/**
 * One tool as its provider describes it (spec 7).
 *
 * @property name the provider's own name, without any label; unique within the provider.
 * @property parameters JSON Schema of the arguments; an empty object when the provider gave none.
 */
public data class ToolSpec(val name: String, val description: String, val parameters: JsonObject)
