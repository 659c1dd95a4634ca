package org.cetp.bridge.tools

import kotlin.time.Duration
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * How long the search for providers waits, and how much it does at once.
 *
 * @property scan for the package manager.
 * @property tools for one call of `list_tools`; a provider that had to be woken is called once more.
 * @property info for one call of `get_provider_info`.
 * @property wake for the start of an app's process.
 * @property gather how long changes of packages, and late answers, are collected before they count together.
 * @property firstPause before a provider that could not be reached is tried again; it doubles each time.
 * @property parallel providers that are asked at the same time.
 */
public data class CatalogTiming(
    val scan: Duration = 10.seconds,
    val tools: Duration = 10.seconds,
    val info: Duration = 5.seconds,
    val wake: Duration = 5.seconds,
    val gather: Duration = 1_000.milliseconds,
    val firstPause: Duration = 5.seconds,
    val longestPause: Duration = 1.hours,
    val parallel: Int = 8,
) {
    /** The pause after so many failures in a row. */
    internal fun pause(failures: Int): Duration =
        if (failures > MANY) longestPause else minOf(longestPause, firstPause * (1 shl failures - 1))

    private companion object {
        /** So many doublings of the shortest sensible pause are days. */
        const val MANY = 24
    }
}
