package org.cetp.bridge.tools

import kotlinx.coroutines.withTimeoutOrNull
import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.protocol.ErrorCode
import org.cetp.bridge.protocol.PlainText
import org.cetp.bridge.protocol.ProviderInfo
import org.cetp.bridge.protocol.ProviderReply
import org.cetp.bridge.protocol.ToolList
import org.cetp.bridge.tools.CallResult.Break
import org.cetp.bridge.tools.CallResult.Reason
import org.cetp.bridge.tools.InquiryResult.Failed

/** Asks one provider what it offers, waking it if need be (spec 4.1, 4.3, 11). Keeps nothing. */
internal class ProviderInquiry(private val source: ProviderSource, private val timing: CatalogTiming) {
    /** Its tools; bounded by two calls and a wake-up between. */
    suspend fun tools(address: ProviderAddress): InquiryResult {
        val result = list(address)
        val woken = result is CallResult.NotDelivered && canWake(result.reason) && wake(address)
        return judged(if (woken) list(address) else result)
    }

    /** What it says of itself; null when it does not or says it wrongly, which costs nothing. */
    suspend fun info(address: ProviderAddress): ProviderInfo? {
        val result =
            withTimeoutOrNull(timing.info) { source.call(address, CetpContract.Method.GET_PROVIDER_INFO, null) }
        val reply = ProviderReply.of((result as? CallResult.Answered)?.keys)
        return (reply as? ProviderReply.Success)?.let { ProviderInfo.decode(it.data) }
    }

    private suspend fun list(address: ProviderAddress): CallResult? =
        withTimeoutOrNull(timing.tools) { source.call(address, CetpContract.Method.LIST_TOOLS, null) }

    private suspend fun wake(address: ProviderAddress): Boolean =
        withTimeoutOrNull(timing.wake) { source.wake(address) } ?: false

    private fun canWake(reason: Reason): Boolean = when (reason) {
        Reason.UNKNOWN_AUTHORITY, Reason.NOT_STARTED -> true
        Reason.NOT_PERMITTED -> false
    }

    private fun judged(result: CallResult?): InquiryResult = when (result) {
        null -> passing(ProviderProblem.NotReached("it did not answer within ${timing.tools}"))
        is CallResult.NotDelivered -> notDelivered(result)
        is CallResult.Broken -> broken(result)
        is CallResult.Answered -> answered(ProviderReply.of(result.keys))
    }

    private fun notDelivered(result: CallResult.NotDelivered): InquiryResult = when (result.reason) {
        Reason.UNKNOWN_AUTHORITY, Reason.NOT_STARTED -> passing(ProviderProblem.NotReached(shown(result.detail)))
        Reason.NOT_PERMITTED -> lasting(ProviderProblem.NotPermitted(shown(result.detail)))
    }

    private fun broken(result: CallResult.Broken): InquiryResult = when (result.reason) {
        Break.DIED -> passing(ProviderProblem.NotReached(shown(result.detail)))
        Break.THREW -> passing(ProviderProblem.BadAnswer(shown(result.detail)))
        Break.TOO_LARGE -> lasting(ProviderProblem.BadAnswer(shown("its list of tools is too large: ${result.detail}")))
        Break.UNREADABLE -> lasting(ProviderProblem.BadAnswer(shown(result.detail)))
    }

    private fun answered(reply: ProviderReply): InquiryResult = when (reply) {
        is ProviderReply.Failure -> refused(reply)
        is ProviderReply.Success -> when (val list = ToolList.decode(reply.data)) {
            is ToolList.Listed -> InquiryResult.Listed(list.entries)
            is ToolList.Broken -> lasting(ProviderProblem.BadAnswer("its list of tools ${list.reason}"))
        }
    }

    private fun refused(reply: ProviderReply.Failure): InquiryResult {
        val said = shown(listOfNotNull("[${reply.code}] ${reply.message}", reply.hint).joinToString(" — "))
        return when (reply.code) {
            // Its user may let us in at any time, and no broadcast tells of it.
            ErrorCode.AUTH_REQUIRED.name, ErrorCode.PERMISSION_DENIED.name ->
                Failed(ProviderProblem.NotPermitted(said), passing = false, retried = true)
            ErrorCode.TOOL_NOT_FOUND.name, ErrorCode.INVALID_ARGS.name -> lasting(ProviderProblem.BadAnswer(said))
            else -> passing(ProviderProblem.BadAnswer(said))
        }
    }

    private fun passing(problem: ProviderProblem) = Failed(problem, passing = true, retried = true)

    private fun lasting(problem: ProviderProblem) = Failed(problem, passing = false, retried = false)

    private fun shown(text: String): String = PlainText.line(text, MAX_DETAIL)

    private companion object {
        const val MAX_DETAIL = 300
    }
}
