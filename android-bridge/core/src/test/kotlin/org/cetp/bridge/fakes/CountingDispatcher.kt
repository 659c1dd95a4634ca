package org.cetp.bridge.fakes

import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.test.TestDispatcher
import kotlin.coroutines.CoroutineContext

/** Counts whatever wakes a coroutine: work that is queued, and timers that are set. Used on a test's one thread. */
@OptIn(InternalCoroutinesApi::class)
class CountingDispatcher(private val inner: TestDispatcher) :
    CoroutineDispatcher(),
    Delay {
    var wakeUps: Int = 0

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        wakeUps++
        inner.dispatch(context, block)
    }

    override fun scheduleResumeAfterDelay(timeMillis: Long, continuation: CancellableContinuation<Unit>) {
        wakeUps++
        (inner as Delay).scheduleResumeAfterDelay(timeMillis, continuation)
    }

    override fun invokeOnTimeout(timeMillis: Long, block: Runnable, context: CoroutineContext): DisposableHandle {
        wakeUps++
        return (inner as Delay).invokeOnTimeout(timeMillis, block, context)
    }
}
