package org.cetp.bridge.app.screens

import android.content.Context
import android.content.res.Configuration
import org.cetp.bridge.app.R
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import java.util.Locale
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class WordsTest {
    private val english = inLanguage(Locale.UK)
    private val chinese = inLanguage(Locale.SIMPLIFIED_CHINESE)

    @Test
    fun `every text of the app is there in Chinese, with the same places to fill`() {
        val names = R.string::class.java.fields.associate { it.name to it.getInt(null) } - SAME_IN_BOTH
        val missing = names.filterValues { english.getString(it) == chinese.getString(it) }.keys
        assertEquals("not translated", emptySet<String>(), missing)
        val different = names.filterValues { places(english.getString(it)) != places(chinese.getString(it)) }.keys
        assertEquals("with other places", emptySet<String>(), different)
    }

    @Test
    fun `every counted text is there in Chinese`() {
        val missing = R.plurals::class.java.fields.map { it.getInt(null) }
            .filter { english.getQuantityString(it, 2, 2) == chinese.getQuantityString(it, 2, 2) }
        assertEquals(emptyList<String>(), missing.map(english::getResourceName))
    }

    @Test
    fun `one is counted as one`() {
        assertEquals("1 tool", english.say(Words.Counted(R.plurals.provider_tools_title, 1)))
        assertEquals("2 tools", english.say(Words.Counted(R.plurals.provider_tools_title, 2)))
    }

    @Test
    fun `words within words are said in the same language`() {
        val words = said(R.string.state_next_try, lengthWords(90.seconds))
        assertEquals("Next try in 1 min 30 s.", english.say(words))
        assertEquals("1 分 30 秒后重试。", chinese.say(words))
    }

    @Test
    fun `lengths are rounded up, and long ones told in larger units`() {
        val lengths = listOf(1.milliseconds, 59.seconds, 60.seconds, 3.hours + 5.minutes, 72.hours, 400.days)
        assertEquals(
            listOf("1 second", "59 seconds", "1 min 0 s", "3 h 5 min", "3 days", "400 days"),
            lengths.map { english.say(lengthWords(it)) },
        )
    }

    @Test
    fun `foreign text loses control and direction characters and is not endless`() {
        assertEquals("ab\ncd", shown("a\u0007b\nc\u202E\u2066d"))
        assertEquals("x".repeat(600) + "…", shown("x".repeat(100_000)))
        assertEquals("%1\$s stays as it is", english.say(plain("%1\$s stays as it is")))
    }

    private fun inLanguage(locale: Locale) = RuntimeEnvironment.getApplication().let { context: Context ->
        val configuration = Configuration(context.resources.configuration).apply { setLocale(locale) }
        context.createConfigurationContext(configuration).resources
    }

    private fun places(text: String) = Regex("%[0-9]+\\$[.0-9]*[a-z]").findAll(text).map { it.value }.toSortedSet()

    private companion object {
        val SAME_IN_BOTH =
            setOf("pairing_address_hint", "pairing_code_hint", "provider_version", "provider_scope", "call_time")
    }
}
