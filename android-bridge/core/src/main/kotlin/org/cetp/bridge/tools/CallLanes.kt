package org.cetp.bridge.tools

import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import java.util.concurrent.ConcurrentHashMap

/**
 * How many calls run at once; the others wait in the order in which they came.
 *
 * A call waits for its app first and for the phone then, so that a slow app's queue takes nobody else's place.
 */
internal class CallLanes(private val ofOneApp: Int, ofAll: Int) {
    private val all = Semaphore(ofAll)
    private val apps = ConcurrentHashMap<String, Semaphore>()

    /** Run the block when it is its turn. */
    suspend fun <T> inTurn(packageName: String, block: suspend () -> T): T =
        apps.getOrPut(packageName) { Semaphore(ofOneApp) }.withPermit { all.withPermit { block() } }
}
