package org.cetp.bridge.protocol

import kotlinx.serialization.json.Json
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class ToolListTest {
    @Test
    fun `A bad tool between good ones costs itself alone`() {
        val entries = entries("""{"name":"a","description":"A."},{"name":""},7,{"name":"b","description":"B."}""")
        assertEquals(listOf("a", "#2", "#3", "b"), entries.map { it.name })
        assertEquals(listOf(true, false, false, true), entries.map { it is ListedTool.Usable })
    }

    @Test
    fun `A tool without parameters takes an empty object, in whatever way it says so`() {
        val said = listOf("", ",\"parameters\":null", ",\"parameters\":{}", ",\"parameters\":{\"type\":\"object\"}")
        val taken = said.map { usable("""{"name":"a","description":"A."$it}""").parameters }
        assertEquals(List(said.size) { Json.parseToJsonElement("""{"type":"object","properties":{}}""") }, taken)
    }

    @Test
    fun `Parameters keep all that they say, and numbers all their digits`() {
        val schema = """{"type":"object","properties":{"id":{"maximum":9223372036854775808,"minimum":1.50}},"x":[]}"""
        assertEquals(schema, usable("""{"name":"a","description":"A.","parameters":$schema}""").parameters.toString())
    }

    @Test
    fun `Of two tools with one name the first stays`() {
        val entries = entries("""{"name":"a","description":"First."},{"name":"a","description":"Second."}""")
        assertEquals("First.", (entries[0] as ListedTool.Usable).spec.description)
        assertTrue((entries[1] as ListedTool.Unusable).reason.contains("same name"))
    }

    @Test
    fun `Parameters nested too deeply cost their tool alone and no stack`() {
        val bomb = "{\"not\":".repeat(DEEP) + "{}" + "}".repeat(DEEP)
        val entries =
            entries("""{"name":"bomb","description":"B.","parameters":$bomb},{"name":"a","description":"A."}""")
        assertEquals("its parameters are nested more than 64 levels deep", (entries[0] as ListedTool.Unusable).reason)
        assertTrue(entries[1] is ListedTool.Usable)
    }

    @Test
    fun `A key that is nested too deeply elsewhere is ignored like every key that nobody knows`() {
        val bomb = "[".repeat(DEEP) + "]".repeat(DEEP)
        assertEquals("a", usable("""{"name":"a","description":"A.","extra":$bomb}""").name)
    }

    @Test
    fun `Parameters that are too long cost their tool`() {
        val long = """{"type":"object","title":"${"x".repeat(ToolParameters.MAX_LENGTH)}"}"""
        assertTrue(entries("""{"name":"a","description":"A.","parameters":$long}""").single() is ListedTool.Unusable)
    }

    @Test
    fun `Half a character costs a tool its name or its parameters and is replaced in a description`() {
        val entries = entries(
            """{"name":"\ud800","description":"A."},{"name":"b","description":"B \ud800!"}""",
            """{"name":"c","description":"C.","parameters":{"properties":{"\udc00":{}}}}""",
        )
        assertEquals(listOf(false, true, false), entries.map { it is ListedTool.Usable })
        assertEquals("B \uFFFD!", (entries[1] as ListedTool.Usable).spec.description)
    }

    @Test
    fun `Controls in a description become blanks, but for lines and tabs`() {
        assertEquals("a b\n\tc", usable("""{"name":"a","description":"a\u0000b\n\tc"}""").description)
    }

    @Test
    fun `A description is cut between characters`() {
        val long = "\uD83C\uDF89".repeat(ListedTool.MAX_DESCRIPTION + 1)
        val cut = "\uD83C\uDF89".repeat(ListedTool.MAX_DESCRIPTION)
        assertEquals(cut, usable("""{"name":"a","description":"$long"}""").description)
    }

    @Test
    fun `A name that is too long costs its tool and is shown shortened`() {
        val entry = entries("""{"name":"${"x".repeat(ListedTool.MAX_NAME + 1)}","description":"A."}""").single()
        assertTrue(entry is ListedTool.Unusable && entry.name.length == 100)
    }

    @Test
    fun `What goes beyond the number of tools of one app is counted and not read`() {
        val many = (0..ToolList.MAX_TOOLS).map { """{"name":"t$it","description":"T."}""" }
        val entries = entries(*many.toTypedArray())
        assertEquals(ToolList.MAX_TOOLS + 1, entries.size)
        assertEquals("#513", (entries.last() as ListedTool.Unusable).name)
    }

    @Test
    fun `A list that is too long is not read at all`() {
        assertTrue(ToolList.decode("[" + " ".repeat(ToolList.MAX_LENGTH) + "]") is ToolList.Broken)
    }

    private fun usable(entry: String): ToolSpec = (entries(entry).single() as ListedTool.Usable).spec

    private fun entries(vararg entries: String): List<ListedTool> =
        (ToolList.decode("""{"tools":[${entries.joinToString(",")}]}""") as ToolList.Listed).entries

    private companion object {
        const val DEEP = 50_000
    }
}
