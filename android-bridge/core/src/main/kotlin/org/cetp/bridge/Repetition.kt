package org.cetp.bridge

import org.cetp.bridge.journal.CallJournal
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.protocol.ProviderReply
import org.cetp.bridge.session.CallAnswer
import org.cetp.bridge.tools.CallReplies
import org.cetp.bridge.tools.CatalogTool
import org.cetp.bridge.tools.ToolRunner
import java.util.UUID
import kotlin.random.Random

/** Runs a call of the journal again, for its owner alone; the answer goes nowhere but into the journal. */
internal class Repetition(
    private val runner: ToolRunner,
    private val journal: CallJournal,
    private val random: Random,
) {
    /** @param tool what has the record's name now; null when nothing has. */
    suspend fun run(record: CallRecord, tool: CatalogTool?) {
        val id = newId()
        val entry = journal.begin(id, record.tool, tool?.address?.packageName, record.arguments)
        val reply = when {
            tool == null -> CallReplies.unknownTool(record.tool)
            record.arguments.length >= CallJournal.LONGEST_ARGUMENTS -> CallReplies.argumentsNotKept()
            else -> runner.run(tool, record.arguments, id, deadline = null)
        }
        entry.end(CallAnswer.outcome(reply), (reply as? ProviderReply.Failure)?.authorizeIntent)
    }

    /** A UUID of version 4 (RFC 9562), which `request_id` should be (spec 4.2). */
    private fun newId(): String {
        val high = random.nextLong() and 0xF000L.inv() or 0x4000L
        val low = random.nextLong() and (0b11L shl 62).inv() or (0b10L shl 62)
        return UUID(high, low).toString()
    }
}
