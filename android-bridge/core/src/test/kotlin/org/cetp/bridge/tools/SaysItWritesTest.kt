package org.cetp.bridge.tools

import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.cetp.bridge.fakes.SpecFiles
import org.junit.Assert.assertEquals
import org.junit.Test

class SaysItWritesTest {
    @Test
    fun `Names say that they write as in the vectors`() {
        for (case in SpecFiles.json("vectors/writing_words.json").jsonArray.map { it.jsonObject }) {
            val word = (case.getValue("word") as JsonPrimitive).takeIf { it.isString }?.content
            assertEquals("${case["description"]}", word, SaysItWrites.word(case.getValue("name").jsonPrimitive.content))
        }
    }
}
