package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ProviderInfo
import org.cetp.bridge.protocol.ToolSpec

/**
 * One app that offers tools, as its owner sees it.
 *
 * @property problem why its tools cannot be used, or could not be asked for last time; null when all is well. One that
 *   answered before and cannot be reached now keeps its tools.
 * @property tools what it offers, and what was wrong with the rest; empty until it is allowed and has answered.
 */
public data class ProviderState(
    val packageName: String,
    val appName: String,
    val appVersion: String,
    val consent: Consent,
    val info: ProviderInfo?,
    val tools: List<ToolState>,
    val problem: ProviderProblem?,
)

/** Whether the owner lets the gateway use an app. */
public enum class Consent {
    NOT_ASKED,
    ALLOWED,
    REFUSED,

    /** It was allowed, but the app is signed by somebody else now. */
    SIGNER_CHANGED,
}

/** Why a provider cannot be used. */
public sealed interface ProviderProblem {
    /** What is wrong, for the owner and the app's author. */
    public val detail: String

    /** The manifest is not as it must be (spec 3). */
    public data class BadManifest(override val detail: String) : ProviderProblem

    /** A version of the protocol that is not known here (spec 9). */
    public data class UnknownVersion(override val detail: String) : ProviderProblem

    /** The permission is not granted, nobody defines it, or the app itself lets us in no further (spec 10, 6). */
    public data class NotPermitted(override val detail: String) : ProviderProblem

    /** It is installed but cannot be reached (spec 11); tried again with growing pauses. */
    public data class NotReached(override val detail: String) : ProviderProblem

    /** It answered something else than a list of tools, or threw (spec 4.1). */
    public data class BadAnswer(override val detail: String) : ProviderProblem
}

/**
 * One tool of a provider.
 *
 * @property spec null when the provider's entry could not be read.
 * @property wireName null when it cannot be named or is not offered.
 */
public data class ToolState(val name: String, val spec: ToolSpec?, val wireName: String?, val standing: ToolStanding)

/** Whether a tool is offered. */
public sealed interface ToolStanding {
    public data object Offered : ToolStanding

    /** It says that it writes, by this word, and waits for the owner. */
    public data class SaysItWrites(val word: String) : ToolStanding

    /** The provider's entry for it cannot be used (spec 7). */
    public data class Unusable(val reason: String) : ToolStanding

    /** The gateway holds it back, for this reason (spec 13.4). */
    public data class HeldByGateway(val reason: String) : ToolStanding
}
