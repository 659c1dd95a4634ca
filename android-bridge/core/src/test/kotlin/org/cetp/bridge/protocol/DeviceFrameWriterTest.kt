package org.cetp.bridge.protocol

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import org.cetp.bridge.fakes.DeviceFrames
import org.cetp.bridge.fakes.SpecFiles
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertThrows
import org.junit.Assert.assertTrue
import org.junit.Test

class DeviceFrameWriterTest {
    @Test
    fun `What a bridge writes has every field of the shared vectors of its kind`() {
        val written = SpecFiles.vectors("device_frames").filter { it.valid }.mapNotNull { vector ->
            DeviceFrames.read(vector.data)?.let { vector.data to Json.parseToJsonElement(DeviceFrameWriter.write(it)) }
        }
        assertTrue("${written.size}", written.size >= ENOUGH_TO_MEAN_SOMETHING)
        for ((vector, frame) in written) {
            val known = (frame as JsonObject).filterKeys { it in vector as JsonObject }
            assertEquals(vector, JsonObject(known))
        }
    }

    @Test
    fun `No frame that the shared vectors refuse can be built`() {
        for (vector in SpecFiles.vectors("device_frames").filterNot { it.valid }) {
            val built = runCatching { DeviceFrames.read(vector.data) }
            val isRefused = built.exceptionOrNull() is IllegalArgumentException || built.getOrNull() == null
            assertTrue(vector.name, isRefused)
        }
    }

    @Test
    fun `A refusal has the text form and its fields`() {
        val frame = DeviceFrame.ToolError("1", "AUTH_REQUIRED", "sign in first", "Open Notes", "com.example.AUTHORIZE")
        val expected = """{"type":"tool_error","id":"1","error":"[AUTH_REQUIRED] sign in first — Open Notes",""" +
            """"success":false,"error_code":"AUTH_REQUIRED","resolution_hint":"Open Notes","authorize_intent":"com.example.AUTHORIZE"}"""
        assertEquals(expected, DeviceFrameWriter.write(frame))
    }

    @Test
    fun `A tool without parameters is registered with an empty object of properties`() {
        for (parameters in listOf("{}", """{"type":"object"}""")) {
            val spec = ToolSpec("a", "A.", Json.parseToJsonElement(parameters) as JsonObject)
            val tool = OfferedTool("notes__a", spec, OfferedTool.Origin("com.example.notes", "Notes", "1.0"))
            val text = DeviceFrameWriter.write(DeviceFrame.RegisterTools(listOf(tool), replace = false))
            assertTrue(text, """"parameters":{"type":"object","properties":{}}""" in text)
        }
    }

    @Test
    fun `Bytes are counted as they are sent`() {
        for (text in listOf("", "plain", "é", "天气", "\uD83D\uDE00", "half \uD83D", "\uDE00 half", "a\u0000b")) {
            assertEquals(text, text.toByteArray().size, DeviceFrameWriter.utf8Bytes(text))
        }
    }

    @Test
    fun `Neither ids that a gateway refuses nor empty ones can be sent`() {
        for (id in listOf("", "a b", "../etc", "a\n", "x".repeat(129))) {
            assertThrows(IllegalArgumentException::class.java) {
                DeviceFrame.Connect(id, "phone", "pixel", emptyList())
            }
        }
        assertThrows(IllegalArgumentException::class.java) { DeviceFrame.ToolResult("", "[]") }
    }

    @Test
    fun `No answer shows its contents as text`() {
        assertFalse("private" in DeviceFrame.ToolResult("1", "private").toString())
        assertFalse("private" in DeviceFrame.ToolError("1", "X", "private", "private").toString())
    }

    private companion object {
        const val ENOUGH_TO_MEAN_SOMETHING = 5
    }
}
