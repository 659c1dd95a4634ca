package org.cetp.bridge.tools

import org.cetp.bridge.protocol.ErrorCode
import org.cetp.bridge.protocol.ProviderReply

/** What the agent is told when the phone, and not the provider, decides how a call ends. Holds no details of a call. */
internal object CallReplies {
    private const val ASK_FOR_LESS = "ask for less: a filter, a shorter period, a smaller page"
    private const val SWITCH_ON = "the owner can switch it on in the bridge"

    /** The reply in a result, whoever it is from. */
    fun of(result: CallResult, appName: String): ProviderReply = when (result) {
        is CallResult.Answered -> ProviderReply.of(result.keys)
        is CallResult.NotDelivered -> notDelivered(result.reason, appName)
        is CallResult.Broken -> broken(result.reason, appName)
    }

    fun unknownTool(wireName: String): ProviderReply.Failure =
        failure(ErrorCode.TOOL_NOT_FOUND, "no app on this phone offers ${wireName.take(LONGEST_NAME)}")

    fun withdrawn(appName: String): ProviderReply.Failure =
        failure(ErrorCode.TOOL_NOT_FOUND, "$appName no longer offers this tool", "look at the list of tools again")

    fun notAllowed(appName: String): ProviderReply.Failure =
        failure(ErrorCode.PERMISSION_DENIED, "the phone's owner does not allow $appName", SWITCH_ON)

    fun crowded(): ProviderReply.Failure =
        failure(ErrorCode.RATE_LIMITED, "too many calls wait on this phone", "ask again when some are answered")

    fun argumentsNotKept(): ProviderReply.Failure =
        failure(ErrorCode.INVALID_ARGS, "the arguments were too long to be kept, so this call cannot be repeated here")

    fun tooLarge(limit: Int): ProviderReply.Failure =
        failure(ErrorCode.INTERNAL_ERROR, "the answer is too large: the gateway takes $limit bytes", ASK_FOR_LESS)

    private fun notDelivered(reason: CallResult.Reason, appName: String) = when (reason) {
        CallResult.Reason.UNKNOWN_AUTHORITY, CallResult.Reason.NOT_STARTED -> failure(
            ErrorCode.INTERNAL_ERROR,
            "$appName cannot be reached; it did not get the call",
            "open $appName on the phone once, or let it start by itself in the phone's settings",
        )
        CallResult.Reason.NOT_PERMITTED -> failure(
            ErrorCode.PERMISSION_DENIED,
            "the phone does not let the bridge call $appName; it did not get the call",
            "look at the doctor's page of the bridge",
        )
    }

    private fun broken(reason: CallResult.Break, appName: String) = when (reason) {
        CallResult.Break.DIED ->
            failure(ErrorCode.INTERNAL_ERROR, "$appName ended during the call, which it may have run")
        CallResult.Break.THREW -> failure(ErrorCode.INTERNAL_ERROR, "$appName failed while it ran the call")
        CallResult.Break.TOO_LARGE ->
            failure(ErrorCode.INTERNAL_ERROR, "the answer of $appName is too large to be handed over", ASK_FOR_LESS)
        CallResult.Break.UNREADABLE -> failure(ErrorCode.INTERNAL_ERROR, "the answer of $appName cannot be read")
    }

    private fun failure(code: ErrorCode, message: String, hint: String? = null) =
        ProviderReply.Failure(code.name, message, hint)

    private const val LONGEST_NAME = 80
}
