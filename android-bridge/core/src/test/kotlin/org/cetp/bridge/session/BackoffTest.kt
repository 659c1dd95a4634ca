package org.cetp.bridge.session

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

class BackoffTest {
    @Test
    fun `Pauses double from the first up to the cap`() {
        val backoff = Backoff(Random(1), first = 1.seconds, cap = 60.seconds, jitter = 0.0)
        assertEquals(listOf(1, 2, 4, 8, 16, 32, 60, 60).map { it.seconds }, (1..8).map(backoff::pause))
    }

    @Test
    fun `However many tries have failed, a pause is neither nothing nor more than the cap and its jitter`() {
        val backoff = Backoff(Random(1))
        for (failures in listOf(0, 1, 30, 31, 32, 54, 63, 64, 65, 1_000_000, Int.MAX_VALUE)) {
            assertTrue("$failures", backoff.pause(failures) in 1.seconds..90.seconds)
        }
    }

    @Test
    fun `Phones with the same past do not come back in one instant`() {
        val pauses: Set<Duration> = (1..20).map { Backoff(Random(it)).pause(5) }.toSet()
        assertEquals(20, pauses.size)
        assertTrue(pauses.all { it in 16.seconds..24.seconds })
    }
}
