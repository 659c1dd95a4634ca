package org.cetp.bridge.session

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import org.cetp.bridge.journal.CallJournal
import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.ProviderReply
import org.cetp.bridge.tools.CallReplies
import org.cetp.bridge.tools.CatalogTool
import org.cetp.bridge.tools.ToolRunner

/**
 * The calls of the present socket: each is run once, answered or dropped once, and written into the journal.
 *
 * Its functions are called by the session's coroutine alone.
 */
internal class Calls(
    private val runner: ToolRunner,
    private val journal: CallJournal,
    private val inFlight: Int,
) {
    /** By the request's id. Touched by the session's coroutine alone. */
    private val running = HashMap<String, Running>()

    /** Requests that have been answered, oldest first, so that none is run twice. The session's coroutine's alone. */
    private val answered = LinkedHashSet<String>()

    /** Begin a call. @param ended called from another coroutine, at most once, with the answer if there is one. */
    fun start(effect: SessionEffect.RunCall, scope: CoroutineScope, ended: (DeviceFrame?) -> Unit) {
        val request = effect.request
        if (request.id in running || request.id in answered) return
        val tool = effect.tool
        val entry = journal.begin(request.callId ?: request.id, request.name, tool?.address?.packageName, request.args)
        val refusal = when {
            tool == null -> CallReplies.unknownTool(request.name)
            running.size >= inFlight -> CallReplies.crowded()
            else -> null
        }
        val job = scope.launch {
            val reply = refusal ?: tool?.let { run(it, request) }
            ended(finish(entry, request, reply, effect.messageBytes))
        }
        running[request.id] = Running(job, entry)
    }

    /** A call has told its end. False when it had been dropped before, and then its answer is dropped too. */
    fun ended(id: String): Boolean {
        running.remove(id) ?: return false
        answered += id
        if (answered.size > REMEMBERED) answered.remove(answered.first())
        return true
    }

    /** Nobody waits for this call any more. */
    fun cancel(id: String) {
        val call = running[id] ?: return
        ended(id)
        call.drop()
    }

    /** The socket is gone, and its requests with it. */
    fun dropAll() {
        val dropped = running.values.toList()
        running.clear()
        answered.clear()
        dropped.forEach { it.drop() }
    }

    private suspend fun run(tool: CatalogTool, request: GatewayFrame.ToolCallRequest): ProviderReply? =
        runner.run(tool, request.args, request.callId ?: request.id, request.deadline)

    /** Write down how it ended, and what the gateway is told. */
    private fun finish(
        entry: CallJournal.Entry,
        request: GatewayFrame.ToolCallRequest,
        reply: ProviderReply?,
        messageBytes: Int,
    ): DeviceFrame? {
        val fitting = reply?.let { CallAnswer.fitting(request.id, it, messageBytes) }
        entry.end(CallAnswer.outcome(fitting), (fitting as? ProviderReply.Failure)?.authorizeIntent)
        return if (fitting == null) CallAnswer.late(request) else CallAnswer.frame(request.id, fitting)
    }

    private class Running(private val job: Job, private val entry: CallJournal.Entry) {
        fun drop() {
            job.cancel()
            entry.end(CallOutcome.Cancelled)
        }
    }

    private companion object {
        /** Ids of answered requests; a gateway has far fewer open at once. */
        const val REMEMBERED = 1024
    }
}
