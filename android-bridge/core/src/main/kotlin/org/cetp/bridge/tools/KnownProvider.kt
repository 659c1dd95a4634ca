package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ListedTool
import org.cetp.bridge.protocol.ProviderInfo

/**
 * All that is known of one provider: its manifest, the owner's decision and its last answers.
 *
 * @property entries what it listed last; null while it has not, or when that no longer counts.
 * @property failure why it could not be asked last time.
 */
internal data class KnownProvider(
    val found: FoundProvider,
    val decision: Decision?,
    val entries: List<ListedTool>? = null,
    val info: ProviderInfo? = null,
    val failure: ProviderProblem? = null,
) {
    val consent: Consent get() = decision?.consent(found.signer) ?: Consent.NOT_ASKED

    /** Where it may be called; null without a sound manifest and the owner's consent. */
    val callable: ProviderAddress? get() = found.address.takeIf { consent == Consent.ALLOWED }

    /** With another look at its manifest. Its answers count on while it may still be called at the same place. */
    fun refound(found: FoundProvider): KnownProvider = copy(found = found).valid(callable)

    fun decided(decision: Decision): KnownProvider = copy(decision = decision).valid(callable)

    fun informed(info: ProviderInfo?): KnownProvider = copy(info = info)

    fun asked(result: InquiryResult): KnownProvider = when (result) {
        is InquiryResult.Listed -> copy(entries = result.entries, failure = null)
        is InquiryResult.Failed -> copy(entries = entries.takeIf { result.passing }, failure = result.problem)
    }

    private fun valid(before: ProviderAddress?): KnownProvider =
        if (callable != null && callable == before) this else KnownProvider(found, decision)
}
