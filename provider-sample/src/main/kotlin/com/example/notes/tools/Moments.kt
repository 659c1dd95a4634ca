package com.example.notes.tools

import java.time.DateTimeException
import java.time.Instant
import java.time.LocalDate
import java.time.OffsetDateTime
import java.time.ZoneId
import java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME
import java.time.temporal.ChronoUnit

/** Times as the tools write and read them (ISO 8601); inside they are milliseconds since 1970. */
object Moments {
    const val MAX_CHARS = 35

    /** With the offset of [zone], to the second. */
    fun write(millis: Long, zone: ZoneId): String =
        Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).atZone(zone).format(ISO_OFFSET_DATE_TIME)

    /** A day begins at its first moment in [zone]. Throws InvalidArguments, which says what [name] has to look like. */
    fun read(name: String, text: String, zone: ZoneId): Long = try {
        val moment = if ('T' in text) OffsetDateTime.parse(text).toInstant() else firstOf(LocalDate.parse(text), zone)
        moment.toEpochMilli()
    } catch (_: DateTimeException) {
        throw wrong(name)
    } catch (_: ArithmeticException) {
        throw wrong(name)
    }

    private fun firstOf(day: LocalDate, zone: ZoneId): Instant = day.atStartOfDay(zone).toInstant()

    private fun wrong(name: String) =
        InvalidArguments("$name must be a day like 2026-01-31 or a time like 2026-01-31T08:00:00+01:00.")
}
