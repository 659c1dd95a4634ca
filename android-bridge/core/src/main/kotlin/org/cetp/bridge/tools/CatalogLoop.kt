package org.cetp.bridge.tools

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.conflate
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull

/** The one coroutine behind a [ProviderCatalog]: takes events in turn and publishes what follows from them. */
internal class CatalogLoop(
    private val scope: CoroutineScope,
    private val source: ProviderSource,
    private val store: ConsentStore,
    private val timing: CatalogTiming,
    private val events: Channel<CatalogEvent>,
    private val publication: Publication,
) {
    private val inquiries = Inquiries(scope, source, timing, events)

    // All of these are touched by the loop alone.
    private val decisions = HashMap<String, Decision>()
    private val known = HashMap<String, KnownProvider>()
    private var isScanning = false
    private var mustScanAgain = false
    private var failedScans = 0
    private var gathering: Job? = null

    suspend fun run(): Nothing {
        store.load().forEach { (app, text) -> Decision.decode(text)?.let { decisions[app] = it } }
        scope.launch(start = CoroutineStart.UNDISPATCHED) { watchPackages() }
        startScan()
        while (true) takeAll(events.receive())
    }

    /** Everything that has happened by now, before what follows from it is worked out once. */
    private fun takeAll(first: CatalogEvent) {
        val present = generateSequence(first) { events.tryReceive().getOrNull() }.onEach(::take)
        publish(isGathered = present.count { it == CatalogEvent.Gathered } > 0)
    }

    /** An update of one app is several changes; those within a moment lead to one look. */
    private suspend fun watchPackages(): Unit = source.packageChanges.conflate().collect {
        delay(timing.gather)
        events.send(CatalogEvent.Rescan)
    }

    private fun take(event: CatalogEvent) {
        when (event) {
            CatalogEvent.Rescan -> startScan()
            is CatalogEvent.Scanned -> scanned(event.services)
            is CatalogEvent.Allow -> allow(event.packageName, event.allowed)
            is CatalogEvent.AllowTool -> allowTool(event)
            is CatalogEvent.Asked -> asked(event)
            is CatalogEvent.Informed -> informed(event)
            is CatalogEvent.Retry -> ask(event.packageName)
            CatalogEvent.Gathered -> gathering = null
        }
    }

    private fun startScan() {
        mustScanAgain = isScanning
        if (isScanning) return
        isScanning = true
        scope.launch { events.send(CatalogEvent.Scanned(withTimeoutOrNull(timing.scan) { scan() })) }
    }

    /** The border to Android promises not to throw; a mistake there costs this look and not the search for ever. */
    private suspend fun scan(): List<ServiceEntry>? = try {
        source.services()
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (_: RuntimeException) {
        null
    }

    private fun scanned(services: List<ServiceEntry>?) {
        isScanning = false
        if (services == null) scanFailed() else found(services)
        if (mustScanAgain) startScan()
    }

    private fun scanFailed() {
        val pause = timing.pause(++failedScans)
        scope.launch {
            delay(pause)
            events.send(CatalogEvent.Rescan)
        }
    }

    private fun found(services: List<ServiceEntry>) {
        failedScans = 0
        val allowed = decisions.filterValues { it.allowed }.keys
        val found = Discovery.providers(services, first = allowed).associateBy { it.packageName }
        (known.keys - found.keys).forEach(::forget)
        found.values.forEach { provider ->
            known[provider.packageName] =
                known[provider.packageName]?.refound(provider)
                    ?: KnownProvider(provider, decisions[provider.packageName])
        }
        // Whoever hung last time hangs at the end of the queue.
        found.keys.sortedBy(inquiries::failures).forEach(::ask)
    }

    private fun forget(packageName: String) {
        inquiries.stop(packageName)
        known.remove(packageName)
    }

    /** Ask a provider if it may be asked; otherwise see to it that nobody does. */
    private fun ask(packageName: String) {
        val address = known[packageName]?.callable
        if (address == null) inquiries.stop(packageName) else inquiries.ask(address)
    }

    private fun allow(packageName: String, allowed: Boolean) {
        val signer = known[packageName]?.found?.signer
        val decision = decisions[packageName]
        when {
            signer != null -> decide(packageName, decision?.then(allowed, signer) ?: Decision(allowed, signer))
            // The app has just gone: a refusal still counts for when it returns.
            decision != null && !allowed -> decide(packageName, decision.then(allowed = false, decision.signer))
        }
        ask(packageName)
    }

    private fun allowTool(event: CatalogEvent.AllowTool) {
        val provider = known[event.packageName] ?: return
        if (provider.consent != Consent.ALLOWED) return
        decide(event.packageName, checkNotNull(provider.decision).withTool(event.tool, event.allowed))
    }

    private fun decide(packageName: String, decision: Decision) {
        if (decisions.put(packageName, decision) != decision) store.save(packageName, decision.encode())
        known.computeIfPresent(packageName) { _, provider -> provider.decided(decision) }
    }

    private fun asked(event: CatalogEvent.Asked) {
        if (!inquiries.isCurrent(event.inquiry)) return
        inquiries.answered(event.inquiry, event.result)
        change(event.inquiry) { it.asked(event.result) }
    }

    private fun informed(event: CatalogEvent.Informed) {
        if (inquiries.isCurrent(event.inquiry)) change(event.inquiry) { it.informed(event.info) }
    }

    private fun change(inquiry: Inquiries.Running, change: (KnownProvider) -> KnownProvider) {
        known.computeIfPresent(inquiry.address.packageName) { _, provider -> change(provider) }
    }

    /** What the owner sees changes at once; what is registered waits a moment for those who have not answered yet. */
    private fun publish(isGathered: Boolean) {
        val isWhole = isGathered || (!inquiries.areOpen && !isScanning)
        val isPublished = publication.publish(CatalogView.of(known.values), isWhole)
        if (isPublished) {
            gathering?.cancel().also { gathering = null }
        } else if (gathering == null) {
            gathering = scope.launch {
                delay(timing.gather)
                events.send(CatalogEvent.Gathered)
            }
        }
    }
}
