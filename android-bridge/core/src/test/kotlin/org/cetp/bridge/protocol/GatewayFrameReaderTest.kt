package org.cetp.bridge.protocol

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.milliseconds

class GatewayFrameReaderTest {
    @Test
    fun `Arguments keep all their digits`() {
        val args = """{"id":9007199254740993,"over":18446744073709551616,"small":0.10000000000000000555111}"""
        val frame = read("""{"type":"tool_call_request","id":"1","name":"a","args":$args}""")
        assertEquals(args, (frame as GatewayFrame.ToolCallRequest).args)
    }

    @Test
    fun `A request carries its deadline and the id of the logs`() {
        val text = """{"type":"tool_call_request","id":"1","name":"a","args":{},"deadline_ms":29950,"call_id":"c-17"}"""
        assertEquals(GatewayFrame.ToolCallRequest("1", "a", "{}", 29950.milliseconds, "c-17"), read(text))
    }

    @Test
    fun `A deadline beyond all numbers is a long one`() {
        val text = """{"type":"tool_call_request","id":"1","name":"a","args":{},"deadline_ms":${"9".repeat(400)}}"""
        assertEquals(Int.MAX_VALUE.milliseconds, (read(text) as GatewayFrame.ToolCallRequest).deadline)
    }

    @Test
    fun `Whatever is no frame is a value that says why`() {
        val bombs = listOf("[".repeat(1_000_000), "{\"a\":".repeat(1_000_000), "[".repeat(200) + "]".repeat(200))
        val odd = listOf("", " ", "null", "7", "\"text\"", "[]", "{", "{}", "nul", "NaN", "{'type':'a'}")
        val untyped = listOf("""{"type":null}""", """{"type":{}}""", """{"type":weather}""")
        val deep = "[".repeat(200) + "]".repeat(200)
        val nested = """{"type":"tool_call_request","id":"1","name":"a","args":{"a":$deep}}"""
        for (text in bombs + odd + untyped + nested) {
            assertTrue(text.take(40), read(text) is GatewayFrame.Unreadable)
        }
    }

    @Test
    fun `A call that cannot be read still has the id under which its caller waits`() {
        val broken = listOf(
            """{"type":"tool_call_request","id":"1","name":"a","args":null}""",
            """{"type":"tool_call_request","id":"1","name":"a","args":"{}"}""",
            """{"type":"tool_call_request","id":"1","name":7,"args":{}}""",
            """{"type":"tool_call_request","id":"1","name":"a","args":{},"deadline_ms":-1}""",
        )
        for (text in broken) assertEquals(text, "1", (read(text) as GatewayFrame.Unreadable).requestId)
    }

    @Test
    fun `Types that are not known and a turn's text are passed over`() {
        assertEquals(GatewayFrame.Ignored("weather"), read("""{"type":"weather","wind":3}"""))
        assertEquals(GatewayFrame.Ignored("chunk"), read("""{"type":"chunk","content":"Hello"}"""))
    }

    @Test
    fun `A gateway that says it takes next to nothing is not believed`() {
        val frame = read("""{"type":"connected","v":1,"message":"ok","limits":{"message_bytes":1}}""")
        assertEquals(GatewayLimits.SMALLEST_MESSAGE, (frame as GatewayFrame.Connected).limits.messageBytes)
    }

    @Test
    fun `Neither a request nor a frame that is broken shows contents as text`() {
        val request = read("""{"type":"tool_call_request","id":"1","name":"a","args":{"q":"private"}}""")
        val broken = read("""{"type":"tool_call_request","id":"1","name":"a","args":"private"}""")
        assertTrue("private" !in request.toString() && "private" !in broken.toString())
    }

    private fun read(text: String) = GatewayFrameReader.read(text)
}
