package org.cetp.bridge.session

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.DeviceFrameWriter
import org.cetp.bridge.protocol.GatewayLimits
import org.cetp.bridge.tools.Catalog
import org.cetp.bridge.tools.CatalogTool
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class RegistrationPlanTest {
    @Test
    fun `Four hundred tools are one frame to an ordinary gateway`() {
        val names = (100..499).map { "app${it % 20}__tool$it" }.sorted()
        val frames = plan(catalog(*names.toTypedArray()), GatewayLimits()).frames(replace = true)
        assertEquals(names, frames.single().tools.map { it.name })
        assertTrue(frames.single().replace)
    }

    @Test
    fun `A list that is too long for one frame is cut, every frame fits, and only the first replaces`() {
        val tools = catalog(*(100..199).map { "notes__$it" }.toTypedArray())
        val plan = plan(tools, GatewayLimits(messageBytes = 4096))
        val frames = plan.frames(replace = true)
        assertTrue("${frames.size}", frames.size > 1)
        assertEquals(listOf(true) + List(frames.size - 1) { false }, frames.map { it.replace })
        assertEquals(tools.tools.map { it.wireName }, frames.flatMap { it.tools }.map { it.name })
        assertTrue(frames.all { bytes(it) <= 4096 })
        assertEquals(tools, plan.tools)
    }

    @Test
    fun `A tool that fits in no frame is left out with its reason and costs no other`() {
        val tools = Catalog(listOf(tool("a", "A."), tool("b", "é".repeat(4000)), tool("c", "C.")))
        val plan = plan(tools, GatewayLimits(messageBytes = 4096))
        assertEquals(listOf("a", "c"), plan.tools.tools.map { it.wireName })
        assertTrue(plan.leftOut.toString(), "bytes" in plan.leftOut.getValue("b"))
        assertEquals(listOf("a", "c"), plan.frames(replace = false).single().tools.map { it.name })
    }

    @Test
    fun `A schema is measured in bytes against the gateway's limit for one tool`() {
        val text = JsonPrimitive("天".repeat(100))
        val schema = JsonObject(mapOf("type" to JsonPrimitive("object"), "description" to text))
        val tools = Catalog(listOf(tool("a", "x".repeat(500)), tool("b", "B.", schema)))
        val plan = plan(tools, GatewayLimits(schemaBytes = 300))
        assertEquals(setOf("b"), plan.leftOut.keys)
    }

    @Test
    fun `No more tools are sent than the gateway takes of one phone`() {
        val plan = plan(catalog("a", "b", "c"), GatewayLimits(toolsPerDevice = 2))
        assertEquals(listOf("a", "b"), plan.tools.tools.map { it.wireName })
        assertEquals(setOf("c"), plan.leftOut.keys)
    }

    @Test
    fun `No tools are said only where they replace others`() {
        val plan = plan(Catalog.EMPTY, GatewayLimits())
        assertEquals(emptyList<DeviceFrame>(), plan.frames(replace = false))
        assertEquals(listOf(DeviceFrame.RegisterTools(emptyList(), replace = true)), plan.frames(replace = true))
    }

    private fun plan(catalog: Catalog, limits: GatewayLimits) = RegistrationPlan.of(catalog, limits)

    private fun bytes(frame: DeviceFrame) = DeviceFrameWriter.utf8Bytes(DeviceFrameWriter.write(frame))

    private fun tool(name: String, description: String, parameters: JsonObject = JsonObject(emptyMap())): CatalogTool {
        val tool = catalog(name).tools.single()
        return tool.copy(spec = tool.spec.copy(description = description, parameters = parameters))
    }
}
