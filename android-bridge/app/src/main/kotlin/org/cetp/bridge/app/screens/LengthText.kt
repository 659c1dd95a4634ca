package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import kotlin.time.Duration

/** A length of time for people: whole seconds, rounded up, so that it never says 0 while there is something left. */
internal fun lengthWords(length: Duration): Words {
    val seconds = (length.inWholeMilliseconds + 999) / 1000
    val minutes = seconds / 60
    return when {
        seconds < 60 -> Words.Counted(R.plurals.seconds, seconds.toInt())
        minutes < 60 -> said(R.string.minutes_seconds, minutes, seconds % 60)
        minutes < 48 * 60 -> said(R.string.hours_minutes, minutes / 60, minutes % 60)
        else -> Words.Counted(R.plurals.days, (minutes / 60 / 24).coerceAtMost(Int.MAX_VALUE.toLong()).toInt())
    }
}
