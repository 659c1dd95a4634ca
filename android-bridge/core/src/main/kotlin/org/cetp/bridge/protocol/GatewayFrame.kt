package org.cetp.bridge.protocol

import kotlin.time.Duration

/** What a gateway sends, as far as a bridge reads it (spec 13.2, 13.4). */
public sealed interface GatewayFrame {
    /** The first frame on every socket. */
    public data class SessionStart(val sessionId: String) : GatewayFrame

    /** The answer to `connect`. @property capabilities those that both sides have; none for an older gateway. */
    public data class Connected(val capabilities: Set<String>, val limits: GatewayLimits) : GatewayFrame

    /**
     * The answer to one `register_tools`.
     *
     * @property registered names that are now held for this socket, quarantined ones included.
     * @property verdicts empty when the gateway gives none.
     */
    public data class ToolsRegistered(val count: Int, val registered: Int, val verdicts: List<Verdict>) : GatewayFrame

    /**
     * A tool is to be run.
     *
     * @property name the wire name.
     * @property args JSON text of an object; all numbers have their digits.
     * @property deadline what was left when it was sent; null when the gateway does not say.
     * @property callId the id that shows in every log; null when the gateway has none.
     */
    public data class ToolCallRequest(
        val id: String,
        val name: String,
        val args: String,
        val deadline: Duration?,
        val callId: String?,
    ) : GatewayFrame {
        override fun toString(): String = "ToolCallRequest($id, $name)"
    }

    /** Nobody waits for the answer to this request any more. */
    public data class ToolCallCancel(val id: String) : GatewayFrame

    /** An answer has arrived, whether it counted or not. */
    public data class ResultAcknowledged(val id: String) : GatewayFrame

    /** The gateway's list of tools is another one now. */
    public data class ToolsChanged(val revision: Long) : GatewayFrame

    /** The answer to `get_registered_tools`. @property names of the tools that are held for this socket, in any order. */
    public data class RegisteredTools(val names: List<String>) : GatewayFrame

    /** About what the phone's owner is asked. */
    public sealed interface ToPerson : GatewayFrame {
        public val key: RequestKey
    }

    /** The owner is asked. */
    public data class PersonAsked(val request: PersonRequest) : ToPerson {
        override val key: RequestKey get() = request.key
    }

    /** Nobody needs to answer any more. @property by who answered, if the gateway says so. */
    public data class RequestClosed(override val key: RequestKey, val end: End, val by: String?) : ToPerson {
        /** [CLOSED]: it is not known how. */
        public enum class End { ALLOWED, DENIED, ANSWERED, DECLINED, EXPIRED, CANCELLED, CLOSED }
    }

    /** What became of the owner's answer. @property error the gateway's words. */
    public data class PersonHeard(override val key: RequestKey, val status: Status, val error: String?) : ToPerson {
        /** [TOO_LATE]: it was closed before. [NOT_TAKEN]: it is still open, and another answer may be taken. */
        public enum class Status { ACCEPTED, TOO_LATE, NOT_ALLOWED, NOT_TAKEN }
    }

    /** Something that the gateway could not do. @property code one of spec 13.3, if any. */
    public data class Error(val code: String?, val message: String) : GatewayFrame

    /** A frame that is none of a bridge's business, such as a turn's text, or one of a type that is not known here. */
    public data class Ignored(val type: String) : GatewayFrame

    /**
     * No frame, or one that lacks what it needs.
     *
     * @property reason names the field; holds nothing of its contents.
     * @property requestId of the call that waits for an answer, if it is one.
     */
    public data class Unreadable(val reason: String, val requestId: String? = null) : GatewayFrame
}

/** What the gateway makes of one tool. @property reason for people; always there when it is held back. */
public data class Verdict(val name: String, val state: State, val reason: String?) {
    /** The states of spec 13.4. */
    public enum class State { ACCEPTED, RENAMED, REPAIRED, QUARANTINED }
}

/**
 * What a gateway takes (spec 13.4); the defaults are what a gateway is trusted with that does not say.
 *
 * @property messageBytes UTF-8 bytes of one frame; never under [SMALLEST_MESSAGE], since errors must fit.
 * @property schemaBytes UTF-8 bytes of one tool's parameters.
 */
public data class GatewayLimits(
    val messageBytes: Int = 1024 * 1024,
    val toolsPerDevice: Int = Int.MAX_VALUE,
    val schemaBytes: Int = Int.MAX_VALUE,
) {
    public companion object {
        /** A gateway that says it takes less is not believed. */
        public const val SMALLEST_MESSAGE: Int = 4096
    }
}
