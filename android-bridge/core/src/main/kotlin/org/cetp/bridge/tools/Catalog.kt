package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ToolSpec

/**
 * The tools that are offered to the gateway at one moment; immutable.
 *
 * @property tools in the order of their wire names, so that equal sets are equal catalogs.
 */
public data class Catalog(val tools: List<CatalogTool>) {
    private val byName: Map<String, CatalogTool> = tools.associateBy { it.wireName }

    /** The tool behind a name that the gateway asked for. */
    public fun find(wireName: String): CatalogTool? = byName[wireName]

    public companion object {
        /** What is offered before the first scan. */
        public val EMPTY: Catalog = Catalog(emptyList())
    }
}

/**
 * One tool as the gateway knows it.
 *
 * @property wireName `label__tool` (spec 8); `spec.name` is what the provider itself calls it.
 */
public data class CatalogTool(
    val wireName: String,
    val spec: ToolSpec,
    val address: ProviderAddress,
    val appName: String,
    val appVersion: String,
)
