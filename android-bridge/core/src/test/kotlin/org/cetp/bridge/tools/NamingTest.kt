package org.cetp.bridge.tools

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.cetp.bridge.fakes.SpecFiles
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random

class NamingTest {
    private val vectors = SpecFiles.json("vectors/namespacing.json").jsonObject

    @Test
    fun `Labels come out as in the vectors`() {
        for (case in cases("labels")) {
            val expected = case.getValue("labels").jsonObject.mapValues { it.value.jsonPrimitive.content }
            assertEquals(case.text("description"), expected, Labels.of(expected.keys))
        }
    }

    @Test
    fun `Wire names come out as in the vectors`() {
        for (case in cases("names")) {
            val phone = case.getValue("names").jsonObject.mapValues { it.value.jsonObject }
            val expected = phone.flatMap { (app, tools) -> tools.map { ToolKey(app, it.key) to name(it.value) } }
                .filter { it.second != null }.toMap()
            assertEquals(case.text("description"), expected, WireNames.of(phone.mapValues { it.value.keys }))
        }
    }

    @Test
    fun `Single names are made legal as in the vectors`() {
        for (case in cases("fit")) {
            val attempt = case["attempt"]?.jsonPrimitive?.content?.toInt() ?: 1
            val fitted = NameFitting.fit(case.text("name"), case.text("stands_for"), attempt)
            assertEquals(case.text("description"), name(case.getValue("fitted")), fitted)
        }
    }

    @Test
    fun `Every tool of every phone gets a legal name of its own, in whatever order they are found`() {
        val random = Random(SEED)
        repeat(PHONES) {
            val phone = phone(random)
            val names = WireNames.of(phone)
            assertEquals(phone.flatMap { (app, tools) -> tools.map { ToolKey(app, it) } }.toSet(), names.keys)
            assertEquals("$phone", names.size, names.values.toSet().size)
            assertTrue("$names", names.values.all(NameFitting::isLegal))
            val shuffled = phone.entries.shuffled(random).associate { it.key to it.value.shuffled(random) }
            assertEquals(names, WireNames.of(shuffled))
        }
    }

    @Test
    fun `Labels are distinct, in small letters and hold no separator`() {
        val random = Random(SEED)
        repeat(PHONES) {
            val packages = List(random.nextInt(9)) { packageName(random) }.toSet()
            val labels = Labels.of(packages)
            assertEquals(packages, labels.keys)
            assertEquals(packages.size, labels.values.toSet().size)
            assertFalse("$labels", labels.values.any { "__" in it || it != it.lowercase() || it != it.trim('_') })
        }
    }

    @Test
    fun `Half a character in a package or a tool costs that one its name`() {
        val half = "com.example.\uD800" to listOf("get")
        val names = WireNames.of(mapOf(half, "com.example.notes" to listOf("get", "\uDC00", "")))
        assertEquals(mapOf(ToolKey("com.example.notes", "get") to "notes__get"), names)
    }

    private fun phone(random: Random): Map<String, List<String>> =
        List(random.nextInt(6)) { packageName(random) }
            .associateWith { List(random.nextInt(7)) { toolName(random) }.distinct() }

    // Few letters and segments, so that labels, prefixes and names meet often.
    private fun packageName(random: Random): String =
        List(1 + random.nextInt(3)) { SEGMENTS.random(random) }.joinToString(".").ifEmpty { "x" }

    private fun toolName(random: Random): String = when (random.nextInt(4)) {
        0 -> listOf("a__a", "a__a__a", "notes__get", "é".repeat(70), "x".repeat(60), "\uD83C\uDF89").random(random)
        else -> String(CharArray(1 + random.nextInt(4)) { "ab_é".random(random) })
    }

    private fun cases(kind: String): List<JsonObject> = vectors.getValue(kind).jsonArray.map { it.jsonObject }

    private fun name(element: JsonElement): String? = (element as JsonPrimitive).takeIf { it.isString }?.content

    private fun JsonObject.text(key: String): String = getValue(key).jsonPrimitive.content

    private companion object {
        const val SEED = 8
        const val PHONES = 500
        val SEGMENTS = listOf("app", "Notes", "notes", "a", "b", "a_b", "a__b", "天气", "")
    }
}
