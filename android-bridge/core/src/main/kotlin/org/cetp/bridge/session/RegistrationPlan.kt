package org.cetp.bridge.session

import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.DeviceFrameWriter
import org.cetp.bridge.protocol.GatewayLimits
import org.cetp.bridge.protocol.OfferedTool
import org.cetp.bridge.tools.Catalog
import org.cetp.bridge.tools.CatalogTool

/**
 * How a catalog is made known to a gateway with these limits.
 *
 * @property tools those that are sent.
 * @property leftOut wire names of the others, with the reason for each.
 */
public class RegistrationPlan private constructor(
    public val tools: Catalog,
    public val leftOut: Map<String, String>,
    private val parts: List<List<OfferedTool>>,
) {
    /** The frames, nearly always one. @param replace they are the whole set; then there is one even for no tool. */
    public fun frames(replace: Boolean): List<DeviceFrame.RegisterTools> = when {
        parts.isNotEmpty() -> parts.mapIndexed { index, part -> DeviceFrame.RegisterTools(part, replace && index == 0) }
        replace -> listOf(DeviceFrame.RegisterTools(emptyList(), replace = true))
        else -> emptyList()
    }

    public companion object {
        /** UTF-8 bytes of a registration besides its tools, generously. */
        private const val ROOM = 256

        /** Every tool is judged by itself; one that does not fit costs no other. */
        public fun of(catalog: Catalog, limits: GatewayLimits): RegistrationPlan {
            val room = limits.messageBytes - ROOM
            val leftOut = LinkedHashMap<String, String>()
            val sizes = LinkedHashMap<CatalogTool, Int>()
            for (tool in catalog.tools) {
                val offered = offered(tool)
                val bytes = DeviceFrameWriter.entryBytes(offered)
                val reason = misfit(offered, bytes, sizes.size, limits)
                if (reason == null) sizes[tool] = bytes else leftOut[tool.wireName] = reason
            }
            val tools = if (leftOut.isEmpty()) catalog else Catalog(sizes.keys.toList())
            return RegistrationPlan(tools, leftOut, parts(sizes, room))
        }

        private fun misfit(tool: OfferedTool, bytes: Int, before: Int, limits: GatewayLimits): String? = when {
            bytes > limits.messageBytes - ROOM ->
                "Its description and parameters have $bytes bytes; the gateway takes ${limits.messageBytes} in a message."
            // Parameters are part of the entry, so most tools need no second measuring.
            bytes > limits.schemaBytes && DeviceFrameWriter.schemaBytes(tool) > limits.schemaBytes ->
                "Its parameters have more than the ${limits.schemaBytes} bytes that the gateway takes."
            before >= limits.toolsPerDevice -> "The gateway takes ${limits.toolsPerDevice} tools of one phone."
            else -> null
        }

        /** Cut where the next tool would not fit. */
        private fun parts(sizes: Map<CatalogTool, Int>, room: Int): List<List<OfferedTool>> {
            val parts = ArrayList<MutableList<OfferedTool>>()
            var used = 0
            for ((tool, bytes) in sizes) {
                if (parts.isEmpty() || used + bytes + 1 > room) {
                    parts += ArrayList<OfferedTool>()
                    used = 0
                }
                parts.last() += offered(tool)
                used += bytes + 1
            }
            return parts
        }

        private fun offered(tool: CatalogTool) = OfferedTool(
            tool.wireName,
            tool.spec,
            OfferedTool.Origin(tool.address.packageName, tool.appName, tool.appVersion),
        )
    }
}
