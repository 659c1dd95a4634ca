package org.cetp.bridge.session

import kotlin.math.pow
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/**
 * How long to wait before the next try.
 *
 * @property first the pause after the first failure; it doubles with each further one.
 * @property cap the longest pause, jitter not counted.
 * @property jitter up to this share of a pause is added at random, so that phones do not come back in one instant.
 */
public class Backoff(
    private val random: Random,
    private val first: Duration = 1.seconds,
    private val cap: Duration = 60.seconds,
    private val jitter: Double = 0.5,
) {
    /** The pause after so many failures in a row, from 1 on. */
    public fun pause(failures: Int): Duration {
        val doublings = (failures - 1).coerceIn(0, MOST_DOUBLINGS)
        val grown = (first * 2.0.pow(doublings)).coerceAtMost(cap)
        return grown + grown * (jitter * random.nextDouble())
    }

    private companion object {
        /** Far beyond any cap, far below an overflow. */
        const val MOST_DOUBLINGS = 30
    }
}
