package org.cetp.bridge.person

import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.PersonAnswer
import org.cetp.bridge.protocol.PersonRequest
import org.cetp.bridge.protocol.Question
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.RequestKey
import org.cetp.bridge.session.Timer

/**
 * A request that waits for the phone's owner.
 *
 * @property until milliseconds since 1970, after which no answer counts; null when the gateway does not say.
 * @property answer what the owner said; it is sent, or will be when the gateway asks again after a reconnect.
 * @property refusal the gateway's words on an answer that it did not take; empty when it has none.
 * @property isConfirmed whether the gateway has asked since the last reconnect; only then is an answer sent.
 * @property expiry the wait at whose end it is closed.
 */
public data class OpenRequest(
    val request: PersonRequest,
    val until: Long?,
    val answer: PersonAnswer? = null,
    val refusal: String? = null,
    val isConfirmed: Boolean = true,
    val expiry: Timer? = null,
) {
    public val key: RequestKey get() = request.key

    /** Whether the owner may say this: it fits what was asked, and all of what it is about was shown. */
    public fun takes(answer: PersonAnswer): Boolean = when (request) {
        is ApprovalRequest -> when (answer) {
            Decision.Deny -> true
            is Decision.Allow -> request.arguments.isWhole && answer.scope in request.scopes
            is Reply -> false
        }
        is Question -> when (answer) {
            Reply.Declined -> true
            is Reply.Said -> request.takes(answer.text)
            is Decision -> false
        }
    }

    private fun Question.takes(text: String): Boolean = when {
        options.any { it.label == text } -> true
        else -> otherAnswers && text.isNotBlank() && text.length <= LONGEST_ANSWER
    }

    public companion object {
        /** UTF-16 units of an answer in the owner's words. */
        public const val LONGEST_ANSWER: Int = 4_000
    }
}

/** How a request ended. @property by who else answered; null when it was the owner here, or is not known. */
public data class EndedRequest(val key: RequestKey, val end: RequestEnd, val by: String?)

/** What came of a request. */
public enum class RequestEnd {
    ALLOWED,
    DENIED,
    ANSWERED,
    DECLINED,

    /** Nobody answered in time. */
    EXPIRED,

    /** Whoever wanted it no longer does. */
    CANCELLED,

    /** The gateway no longer asks, and has not said why. */
    CLOSED,

    /** The gateway does not let this phone answer. */
    NOT_ALLOWED,
}
