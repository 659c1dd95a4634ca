package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ProviderInfo

/** What a [CatalogLoop] reacts to. */
internal sealed interface CatalogEvent {
    /** A package changed, the owner asked, or a scan that failed is due again. */
    data object Rescan : CatalogEvent

    /** The owner's decision on an app. */
    data class Allow(val packageName: String, val allowed: Boolean) : CatalogEvent

    /** The owner's decision on a tool that says it writes. */
    data class AllowTool(val packageName: String, val tool: String, val allowed: Boolean) : CatalogEvent

    /** @property services null when the package manager did not answer in time. */
    data class Scanned(val services: List<ServiceEntry>?) : CatalogEvent

    data class Asked(val inquiry: Inquiries.Running, val result: InquiryResult) : CatalogEvent

    data class Informed(val inquiry: Inquiries.Running, val info: ProviderInfo?) : CatalogEvent

    /** A provider that failed is due again. */
    data class Retry(val packageName: String) : CatalogEvent

    /** What changed a while ago has waited long enough for company. */
    data object Gathered : CatalogEvent
}
