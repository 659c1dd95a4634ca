package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ListedTool

/** What is offered to the gateway, and what the owner sees. */
internal data class CatalogView(val catalog: Catalog, val states: List<ProviderState>) {
    companion object {
        /**
         * Both, from all that is known.
         *
         * Labels come from every provider on the phone, whether it may be used or not, so that to allow one renames
         * nothing of another. Tools count for names as soon as they are listed, whether they may be offered or not.
         */
        fun of(known: Collection<KnownProvider>): CatalogView {
            val names = WireNames.of(known.associate { it.found.packageName to usable(it).map { tool -> tool.name } })
            val states = known.map { state(it, names) }
            val tools = known.zip(states).flatMap { (provider, state) -> offered(provider, state) }
            return CatalogView(
                Catalog(tools.sortedBy { it.wireName }),
                states.sortedWith(compareBy({ it.appName.lowercase() }, { it.packageName })),
            )
        }

        private fun usable(provider: KnownProvider): List<ListedTool.Usable> =
            provider.entries.orEmpty().filterIsInstance<ListedTool.Usable>()

        private fun state(provider: KnownProvider, names: Map<ToolKey, String>) = ProviderState(
            packageName = provider.found.packageName,
            appName = provider.found.appName,
            appVersion = provider.found.appVersion,
            consent = provider.consent,
            info = provider.info,
            tools = provider.entries.orEmpty().map { toolState(it, provider, names) },
            problem = problem(provider),
        )

        private fun problem(provider: KnownProvider): ProviderProblem? = when (val manifest = provider.found.manifest) {
            is FoundProvider.Manifest.Unsound -> manifest.problem
            is FoundProvider.Manifest.Sound -> provider.failure
        }

        private fun toolState(entry: ListedTool, provider: KnownProvider, names: Map<ToolKey, String>) = when (entry) {
            is ListedTool.Unusable -> ToolState(entry.name, null, null, ToolStanding.Unusable(entry.reason))
            is ListedTool.Usable -> {
                val wireName = names[ToolKey(provider.found.packageName, entry.name)]
                val standing = standing(entry.name, provider, wireName)
                ToolState(entry.name, entry.spec, wireName.takeIf { standing == ToolStanding.Offered }, standing)
            }
        }

        private fun standing(tool: String, provider: KnownProvider, wireName: String?): ToolStanding {
            if (wireName == null) return ToolStanding.Unusable("it cannot be named")
            val word = SaysItWrites.word(tool)
            val mayWrite = tool in provider.decision?.writingTools.orEmpty()
            return if (word == null || mayWrite) ToolStanding.Offered else ToolStanding.SaysItWrites(word)
        }

        private fun offered(provider: KnownProvider, state: ProviderState): List<CatalogTool> {
            val address = provider.callable ?: return emptyList()
            return state.tools.mapNotNull { tool ->
                val wireName = tool.wireName ?: return@mapNotNull null
                val spec = tool.spec ?: return@mapNotNull null
                CatalogTool(wireName, spec, address, state.appName, state.appVersion)
            }
        }
    }
}
