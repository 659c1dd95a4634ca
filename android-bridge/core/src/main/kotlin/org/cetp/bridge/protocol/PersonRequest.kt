package org.cetp.bridge.protocol

import kotlin.time.Duration

/** What a gateway asks the phone's owner (spec 13.4). Its texts are other people's or a model's: to be shown as text. */
public sealed interface PersonRequest {
    public val key: RequestKey

    /** How long an answer was awaited when the gateway sent it; null when it does not say. */
    public val expiresIn: Duration?
}

/** Tells requests apart; calls and questions have ids of their own. */
public data class RequestKey(val kind: Kind, val id: String) {
    /** What is asked for, and the capability without which nobody is asked. */
    public enum class Kind(public val capability: String) {
        /** Whether a call may run. */
        APPROVAL(CetpContract.Capability.APPROVALS),

        /** What a model wants to know. */
        QUESTION(CetpContract.Capability.QUESTIONS),
    }
}

/**
 * May this call run?
 *
 * @property digest stands for the exact call; the answer repeats it.
 * @property tool its public name.
 * @property scopes what a yes may mean; never empty.
 * @property reason why a person is asked, as a sentence.
 * @property caller the entrance that the call came by, such as `agent` or `rest`.
 * @property device that would run it; null for a tool of the gateway's own.
 * @property app package of the app on that device.
 * @property session null outside sessions.
 */
public data class ApprovalRequest(
    val id: String,
    val digest: String,
    val tool: String,
    val arguments: ShownArguments,
    val effect: CallEffect,
    val scopes: Set<ApprovalScope>,
    override val expiresIn: Duration,
    val reason: String? = null,
    val caller: String? = null,
    val device: String? = null,
    val app: String? = null,
    val session: String? = null,
) : PersonRequest {
    override val key: RequestKey get() = RequestKey(RequestKey.Kind.APPROVAL, id)

    override fun toString(): String = "ApprovalRequest($id, $tool)"
}

/** What a call does beyond its answer. [UNKNOWN] may be anything. */
public enum class CallEffect { READS, WRITES, RUNS, SENDS, UNKNOWN }

/** What a yes means: this call, this tool in this session, this tool for good. */
public enum class ApprovalScope { ONCE, SESSION, ALWAYS }

/**
 * A model asks something.
 *
 * @property otherAnswers whether words are taken that are none of the options.
 * @property caller the entrance that the turn came by.
 */
public data class Question(
    val id: String,
    val text: String,
    val options: List<Option>,
    val otherAnswers: Boolean,
    override val expiresIn: Duration?,
    val caller: String? = null,
    val session: String? = null,
) : PersonRequest {
    override val key: RequestKey get() = RequestKey(RequestKey.Kind.QUESTION, id)

    override fun toString(): String = "Question($id)"

    /** One answer to choose. @property label is sent as the answer. */
    public data class Option(val label: String, val description: String? = null)
}
