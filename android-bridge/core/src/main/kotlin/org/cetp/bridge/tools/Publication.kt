package org.cetp.bridge.tools

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow

/** What is published of a phone's providers. Written by one coroutine. */
internal class Publication {
    private val currentCatalog = MutableStateFlow(Catalog.EMPTY)
    private val currentStates = MutableStateFlow(emptyList<ProviderState>())

    val catalog: StateFlow<Catalog> get() = currentCatalog
    val providers: StateFlow<List<ProviderState>> get() = currentStates

    /**
     * Show what the owner sees, and offer the tools if that is due.
     *
     * @param isWhole whether nothing more is expected soon. Until then tools are only offered anew when some must go.
     * @return false when the tools still have to be offered.
     */
    fun publish(view: CatalogView, isWhole: Boolean): Boolean {
        currentStates.value = view.states
        if (!isWhole && !takesAway(view.catalog)) return view.catalog == currentCatalog.value
        currentCatalog.value = view.catalog
        return true
    }

    /** Whether a tool that is offered now may no longer be called, or not there. */
    private fun takesAway(next: Catalog): Boolean =
        currentCatalog.value.tools.any { next.find(it.wireName)?.address != it.address }
}
