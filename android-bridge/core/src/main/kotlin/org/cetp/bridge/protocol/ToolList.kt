package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

/** What a provider lists as its tools (spec 4.1). One bad tool costs that tool alone. */
public sealed interface ToolList {
    /** @property entries in the provider's order; names of usable ones are distinct. */
    public data class Listed(val entries: List<ListedTool>) : ToolList

    /** It is no list of tools. @property reason what is wrong, to stand behind "its list of tools". */
    public data class Broken(val reason: String) : ToolList

    public companion object {
        /** Entries of one list that are read; one more entry says how many were not. */
        public const val MAX_TOOLS: Int = 512

        /** UTF-16 units of a list, which is more than a Binder transaction carries (spec 12). */
        public const val MAX_LENGTH: Int = 1_000_000

        /** Read the `data` of a `list_tools` reply. */
        public fun decode(data: String): ToolList {
            if (data.length > MAX_LENGTH) return Broken("has ${data.length} characters; at most $MAX_LENGTH are read")
            val content = JsonValues.parse(data) ?: return Broken("is not JSON")
            val tools = (content as? JsonObject)?.get("tools") ?: return Broken("has no key \"tools\"")
            if (tools !is JsonArray) return Broken("holds something else than a list under \"tools\"")
            return Listed(entries(tools))
        }

        private fun entries(tools: JsonArray): List<ListedTool> {
            val names = HashSet<String>()
            val read = tools.take(MAX_TOOLS).mapIndexed { index, entry ->
                ListedTool.decode(entry, index).onceOnly(names)
            }
            return if (tools.size > MAX_TOOLS) read + beyond(tools) else read
        }

        private fun ListedTool.onceOnly(names: MutableSet<String>): ListedTool = when (this) {
            is ListedTool.Unusable -> this
            is ListedTool.Usable ->
                if (names.add(name)) this else ListedTool.Unusable(name, "another tool of this app has the same name")
        }

        private fun beyond(tools: List<JsonElement>): ListedTool = ListedTool.Unusable(
            ListedTool.place(MAX_TOOLS),
            "it and what follows, ${tools.size - MAX_TOOLS} in all, are not read: $MAX_TOOLS of one app are enough",
        )
    }
}
