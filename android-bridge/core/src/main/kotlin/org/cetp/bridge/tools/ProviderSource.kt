package org.cetp.bridge.tools

import kotlinx.coroutines.flow.Flow

/** The border to Android: what is installed, and calls into other apps. Implemented by the app and by fakes. */
public interface ProviderSource {
    /** Emits whenever an app was installed, updated or removed; says no more, since the answer is to scan again. */
    public val packageChanges: Flow<Unit>

    /**
     * What the package manager knows of every service with the CETP action; nothing is judged yet. Never throws but for
     * cancellation: an app that cannot be read is left out.
     */
    public suspend fun services(): List<ServiceEntry>

    /**
     * Call a method of a provider. Never throws but for cancellation, and returns at once when that happens; the
     * blocking call behind it may go on for a while.
     *
     * @param extras texts for the Bundle; null for none.
     */
    public suspend fun call(address: ProviderAddress, method: String, extras: Map<String, String>?): CallResult

    /** Start the process of an app that could not be reached, without showing anything; false when it cannot be. */
    public suspend fun wake(address: ProviderAddress): Boolean
}

/** Where a provider is: the app and the authority of its ContentProvider. */
public data class ProviderAddress(val packageName: String, val authority: String)

/** What became of a call into another app. A `detail` says it to the owner, to stand behind the app's name. */
public sealed interface CallResult {
    /** The provider answered; `keys` are the values of its Bundle as they were, null when it gave none. */
    public data class Answered(val keys: Map<String, Any?>?) : CallResult

    /** The provider provably never got the call: no such authority, no process, no permission. It may be repeated. */
    public data class NotDelivered(val reason: Reason, val detail: String) : CallResult

    /** The provider got the call or may have: its process died, it threw, its answer was too large or unreadable. */
    public data class Broken(val reason: Break, val detail: String) : CallResult

    /** Why a call was not delivered. */
    public enum class Reason { UNKNOWN_AUTHORITY, NOT_STARTED, NOT_PERMITTED }

    /** How a delivered call went wrong. */
    public enum class Break { DIED, THREW, TOO_LARGE, UNREADABLE }
}
