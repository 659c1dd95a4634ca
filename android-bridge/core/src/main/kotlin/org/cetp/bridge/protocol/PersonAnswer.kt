package org.cetp.bridge.protocol

/** What the phone's owner said to a [PersonRequest]. Nothing but a person makes one (spec 13.4). */
public sealed interface PersonAnswer

/** The answer to an [ApprovalRequest]. */
public sealed interface Decision : PersonAnswer {
    /** The call may run. */
    public data class Allow(val scope: ApprovalScope) : Decision

    /** It may not. */
    public data object Deny : Decision
}

/** The answer to a [Question]. */
public sealed interface Reply : PersonAnswer {
    /** In words, or an option by its label. */
    public data class Said(val text: String) : Reply {
        override fun toString(): String = "Said(${text.length} characters)"
    }

    /** The owner does not want to say. */
    public data object Declined : Reply
}
