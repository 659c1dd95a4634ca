package org.cetp.bridge.tools

import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.StateFlow
import java.util.concurrent.atomic.AtomicBoolean

/**
 * The phone's providers and their tools, kept up to date: looks at all apps when packages change and when asked to,
 * asks those that the owner allowed, and tries those again that could not be reached.
 *
 * An app that has answered once and cannot be reached now keeps its tools; they go when it is removed, refused, signed
 * by somebody else, moved to another authority, or answers that it has none. While apps are asked, the tools of before
 * stay in force.
 */
public class ProviderCatalog(
    private val source: ProviderSource,
    private val store: ConsentStore,
    private val timing: CatalogTiming = CatalogTiming(),
) {
    private val publication = Publication()
    private val hasRun = AtomicBoolean()

    /** Written by whoever has a wish, which people have few of; read by the loop. */
    private val events = Channel<CatalogEvent>(Channel.UNLIMITED)

    /** What is offered to the gateway. Equal catalogs are published once. */
    public val catalog: StateFlow<Catalog> = publication.catalog

    /** Every provider that was found, usable or not, in the order of their names. */
    public val providers: StateFlow<List<ProviderState>> = publication.providers

    /** Keep it up to date until cancelled; to be run once. */
    public suspend fun run(): Nothing {
        check(hasRun.compareAndSet(false, true)) { "this catalog has been run before" }
        coroutineScope<Nothing> { CatalogLoop(this, source, store, timing, events, publication).run() }
    }

    /** Look at all apps now. */
    public fun rescan(): Unit = wish(CatalogEvent.Rescan)

    /** The owner's decision on an app as it is signed now; a refusal also takes back what its tools were allowed. */
    public fun allow(packageName: String, allowed: Boolean): Unit = wish(CatalogEvent.Allow(packageName, allowed))

    /**
     * The owner's decision on one tool that says it writes; without effect while the app is not allowed.
     *
     * @param tool the provider's own name of it.
     */
    public fun allowTool(packageName: String, tool: String, allowed: Boolean): Unit =
        wish(CatalogEvent.AllowTool(packageName, tool, allowed))

    private fun wish(event: CatalogEvent) {
        events.trySend(event)
    }
}
