package org.cetp.bridge.protocol

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class ProviderReplyTest {
    @Test
    fun `Data is passed on as it was written`() {
        val data = " {\"a\": [1.50, -0e1, \"\\u00e9\\/\", true, false, null], \"b\":{}} \r\n\t"
        assertEquals(ProviderReply.Success(data), success(data))
    }

    @Test
    fun `What only looks like JSON is refused`() {
        val wrong = listOf(
            "ok", "", " ", "tru", "nul", "True", "NaN", "Infinity", "undefined", "'a'", "{a:1}", "{'a':1}", "[1,]",
            "[,1]", "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{,}", "[1 2]", "{}{}", "1 2", "01", "-", "+1", ".5", "1.",
            "1e", "1e+", "0x10", "\"", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\u12\"", "\"a\nb\"", "[", "]", "{", "}",
            "[}", "{]", "[[]", "[]]", "// a\n1", "1//", "\uFEFF{}", "\u00A01", "{\"a\" 1}", "{1:2}", "\u0000",
            "1\u0000",
        )
        assertEquals(emptyList<String>(), wrong.filter { success(it) is ProviderReply.Success })
    }

    @Test
    fun `What is JSON is taken`() {
        val right = listOf(
            "0", "-0", "10", "1.5e-3", "1E+2", "\"\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u12aF\"", "[]", "{}", "[[],{}]",
            "{\"\":{\"\":[]}}", "\"\uD83C\uDF89\"", "\"\\ud800\"", "{\"a\":1,\"a\":2}", "[1 , 2]", "true",
            "123456789012345678901234567890", "\"\u007F\u2028\"",
        )
        assertEquals(emptyList<String>(), right.filter { success(it) !is ProviderReply.Success })
    }

    @Test
    fun `Deep nesting overflows nothing`() {
        val depth = 200_000
        assertTrue(success("[".repeat(depth) + "]".repeat(depth)) is ProviderReply.Success)
        assertTrue(success("{\"a\":".repeat(depth) + "1" + "}".repeat(depth)) is ProviderReply.Success)
        assertTrue(success("[".repeat(depth)) is ProviderReply.Failure)
    }

    @Test
    fun `Data with half a character is refused, since no frame could carry it`() {
        assertTrue(success("\"\uD800\"") is ProviderReply.Failure)
        assertTrue(success("\"\uDF89\uD83C\"") is ProviderReply.Failure)
    }

    @Test
    fun `A code of the provider's own is passed on, and an intent counts only where signing in is the point`() {
        val reply = ProviderReply.of(
            mapOf(
                "status" to "error",
                "error_code" to "OUT_OF_PAPER",
                "error_message" to "no paper",
                "authorize_intent" to "a.b",
            ),
        )
        assertEquals(ProviderReply.Failure("OUT_OF_PAPER", "no paper"), reply)
    }

    private fun success(data: String): ProviderReply = ProviderReply.of(mapOf("status" to "success", "data" to data))
}
