package org.cetp.phone

import org.junit.runner.JUnitCore
import kotlin.system.exitProcess

/**
 * Runs one [Phone] after another, each new and empty, as Robolectric runs tests, for only there is a framework. Ends
 * when its standard input does.
 */
fun main() {
    do {
        val result = JUnitCore().run(Phone::class.java)
        result.failures.forEach { System.err.println(it.trace) }
        if (!result.wasSuccessful()) exitProcess(1)
    } while (hasMore())
    exitProcess(0)
}

/** Whether somebody wants another phone. */
private fun hasMore(): Boolean {
    System.`in`.mark(1)
    val next = System.`in`.read()
    System.`in`.reset()
    return next >= 0
}
