package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ListedTool

/** What came of asking a provider for its tools. */
internal sealed interface InquiryResult {
    data class Listed(val entries: List<ListedTool>) : InquiryResult

    /**
     * @property passing it may well be over soon: what the provider listed before stays offered, so that one bad moment
     *   of one app does not change what a model sees.
     * @property retried whether it is worth trying again without anything having changed on the phone.
     */
    data class Failed(val problem: ProviderProblem, val passing: Boolean, val retried: Boolean) : InquiryResult
}
