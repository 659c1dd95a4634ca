package org.cetp.bridge.protocol

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test

class ShownArgumentsTest {
    @Test
    fun `Each value has a line of its own, and numbers keep their digits`() {
        val shown =
            shown("""{"to":["a","b"],"sum":1.000000000000000000001,"none":null,"more":{},"deep":{"yes":true}}""")
        val expected = """
            {
              "to": [
                "a",
                "b"
              ],
              "sum": 1.000000000000000000001,
              "none": null,
              "more": {},
              "deep": {
                "yes": true
              }
            }
        """.trimIndent()
        assertEquals(ShownArguments(expected, isWhole = true), shown)
    }

    @Test
    fun `What the eye does not see is written as its code`() {
        val unseen = listOf(
            "\u202E", "\u200B", "\u00AD", "\u2028", "\u00A0", "\u3164", "\uFE0F", "\u0085",
            "\uDB40\uDC41", "\uDB40\uDD00", "\n", "\t", "\uD800", "\uE000",
        )
        for (text in unseen) {
            val shown = shown(Json.encodeToString(mapOf("k$text" to "v$text"))).text
            assertTrue(shown, shown.lines().size == 3 && shown.all { it in ' '..'~' || it == '\n' })
            assertEquals(mapOf("k$text" to "v$text"), Json.decodeFromString<Map<String, String>>(shown))
        }
    }

    @Test
    fun `Text of all languages and pictures stay as they are`() {
        for (text in listOf("天气", "naïve", "עברית", "\uD83D\uDE00")) {
            assertTrue(text in shown("""{"text":"$text"}""").text)
        }
    }

    @Test
    fun `More than a person reads is cut and says so, however it is nested`() {
        val long = shown("""{"text":"${"x".repeat(60_000)}"}""")
        val wide = shown("""{"list":[${"1,".repeat(40_000)}1]}""")
        val deep = shown("""{"deep":${"[".repeat(100)}${"]".repeat(100)}}""")
        assertEquals(listOf(ShownArguments.LONGEST, ShownArguments.LONGEST), listOf(long.text.length, wide.text.length))
        assertFalse(long.isWhole || wide.isWhole)
        assertTrue(deep.isWhole)
    }

    private fun shown(json: String) = ShownArguments.of(Json.parseToJsonElement(json).jsonObject)
}
