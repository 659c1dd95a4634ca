package org.cetp.bridge.app.prompts

import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes

/**
 * Keeps an app from ringing at its owner's door all the time: one prompt per app in each [pause].
 *
 * @param now of a clock that never goes back.
 */
class PromptLimit(private val pause: Duration = 10.minutes, private val now: () -> Duration) {
    /** By app. Guarded by this object. */
    private val last = mutableMapOf<String, Duration>()

    /** Whether a prompt for this app may be shown now; if so, it counts as shown. */
    @Synchronized
    fun allows(packageName: String): Boolean {
        val before = last[packageName]
        if (before != null && now() - before < pause) return false
        last[packageName] = now()
        return true
    }

    /** What it was shown for is settled: the next one may be shown at once. */
    @Synchronized
    fun forget(packageName: String) {
        last.remove(packageName)
    }
}
