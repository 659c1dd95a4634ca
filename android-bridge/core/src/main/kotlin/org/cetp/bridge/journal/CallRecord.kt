package org.cetp.bridge.journal

import kotlin.time.Duration

/**
 * One call for the owner's eyes; kept in memory only.
 *
 * @property id the `call_id` that shows in the gateway's log too, or the request's id where there is none.
 * @property tool the wire name.
 * @property packageName of the provider; null when no such tool was known.
 * @property startedAt milliseconds since 1970.
 * @property took null while it runs.
 * @property arguments JSON text; shown only when asked for.
 * @property authorizeIntent action of the provider's own screen, when it asked to be authorised.
 */
public data class CallRecord(
    val id: String,
    val tool: String,
    val packageName: String?,
    val startedAt: Long,
    val took: Duration?,
    val outcome: CallOutcome,
    val arguments: String,
    val authorizeIntent: String? = null,
)

/** How a call ended. */
public sealed interface CallOutcome {
    public data object Running : CallOutcome

    /** @property characters of the answer. */
    public data class Answered(val characters: Int) : CallOutcome

    /** The provider or the bridge answered with an error. @property message may be shown, holds no arguments. */
    public data class Refused(val code: String, val message: String) : CallOutcome

    /** Nobody answered in time; the provider may have run it. */
    public data object TimedOut : CallOutcome

    /** The gateway no longer wanted the answer, or was gone. */
    public data object Cancelled : CallOutcome
}
