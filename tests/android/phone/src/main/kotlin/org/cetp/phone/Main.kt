package org.cetp.phone

import org.junit.runner.JUnitCore
import kotlin.system.exitProcess

/** Runs [Phone] as Robolectric runs a test, for only there is a framework; ends when it was told to, or its input ends. */
fun main() {
    val result = JUnitCore().run(Phone::class.java)
    result.failures.forEach { System.err.println(it.trace) }
    exitProcess(if (result.wasSuccessful()) 0 else 1)
}
