package org.cetp.bridge.app.providers

import kotlinx.coroutines.suspendCancellableCoroutine
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.resume
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * Threads for calls that block and cannot be ended: a call into another app's process.
 *
 * Each app has a lane of at most [perLane] threads, so that one which never answers holds up nobody but itself. Threads
 * are made when needed and end when idle for [idle].
 *
 * @param inAll of all lanes together.
 */
class CallThreads(
    private val perLane: Int = 8,
    inAll: Int = 96,
    idle: Duration = 10.seconds,
) {
    private val taken = ConcurrentHashMap<String, AtomicInteger>()
    private val threads = ThreadPoolExecutor(
        0, inAll, idle.inWholeMilliseconds, TimeUnit.MILLISECONDS, SynchronousQueue(),
    ) { work -> Thread(work, "provider call").apply { isDaemon = true } }

    /**
     * Run [work] on a thread of [lane]; [full] when all are taken, and then it was not begun.
     *
     * Returns at once when cancelled. The thread is left to itself then, and counts until it comes back.
     */
    suspend fun <T> run(lane: String, full: T, work: () -> T): T {
        val running = taken.getOrPut(lane) { AtomicInteger() }
        if (running.incrementAndGet() > perLane) {
            running.decrementAndGet()
            return full
        }
        return suspendCancellableCoroutine { waiting ->
            try {
                threads.execute {
                    val result = runCatching(work)
                    running.decrementAndGet()
                    waiting.resumeWith(result)
                }
            } catch (_: RejectedExecutionException) {
                running.decrementAndGet()
                waiting.resume(full)
            }
        }
    }
}
