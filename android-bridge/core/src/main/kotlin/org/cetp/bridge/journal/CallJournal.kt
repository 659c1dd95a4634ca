package org.cetp.bridge.journal

import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.flow.update
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Clock
import kotlin.time.TimeSource

/** The last calls, in memory only. May be used from any thread. */
public class CallJournal(private val clock: Clock, private val time: TimeSource) {
    private val records = MutableStateFlow<List<CallRecord>>(emptyList())

    /** Newest first; at most [CAPACITY]. */
    public val calls: StateFlow<List<CallRecord>> = records.asStateFlow()

    /** A call begins. @param arguments JSON text; kept for its owner up to [LONGEST_ARGUMENTS] characters. */
    public fun begin(id: String, tool: String, packageName: String?, arguments: String): Entry {
        val record = CallRecord(
            id = id,
            tool = tool,
            packageName = packageName,
            startedAt = clock.now().toEpochMilliseconds(),
            took = null,
            outcome = CallOutcome.Running,
            arguments = arguments.take(LONGEST_ARGUMENTS),
        )
        records.update { (listOf(record) + it).take(CAPACITY) }
        return Entry(record)
    }

    /** The newest record of a call. */
    public fun find(id: String): CallRecord? = records.value.firstOrNull { it.id == id }

    /** One call of the journal, while it runs. May be ended from any thread. */
    public inner class Entry internal constructor(private val begun: CallRecord) {
        private val start = time.markNow()
        private val hasEnded = AtomicBoolean()

        /** It has ended; only the first end counts. */
        public fun end(outcome: CallOutcome, authorizeIntent: String? = null) {
            if (!hasEnded.compareAndSet(false, true)) return
            val ended = begun.copy(took = start.elapsedNow(), outcome = outcome, authorizeIntent = authorizeIntent)
            records.update { all -> all.map { if (it === begun) ended else it } }
        }
    }

    public companion object {
        /** Records that are kept. */
        public const val CAPACITY: Int = 200

        /** Characters of arguments that are kept; a call with longer ones cannot be repeated from here. */
        public const val LONGEST_ARGUMENTS: Int = 32_768
    }
}
