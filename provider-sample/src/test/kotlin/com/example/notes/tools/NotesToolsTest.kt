package com.example.notes.tools

import com.example.notes.cetp.Decision
import com.example.notes.fakes.Phone
import com.example.notes.fakes.answer
import com.example.notes.fakes.code
import com.example.notes.fakes.message
import com.example.notes.fakes.objects
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner

/** What the two tools answer to a caller that may read everything. */
@RunWith(RobolectricTestRunner::class)
class NotesToolsTest {
    private val phone by lazy { Phone() }
    private val store by lazy { NoteStore(phone.context, phone.clock::get) }

    @Before
    fun aBridgeThatMayReadEverything() {
        val bridge = phone.install("org.cetp.bridge", Phone.BRIDGE, "bridge's certificate")
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
    }

    private fun write(title: String, text: String = "", vararg tags: String): Long {
        phone.clock.addAndGet(1_000)
        return store.save(Note(title = title, text = text, tags = tags.toList()))
    }

    private fun search(vararg args: Pair<String, Any?>) =
        phone.execute(Phone.BRIDGE, "search_notes", JSONObject(args.toMap()).toString())

    private fun titles(vararg args: Pair<String, Any?>): List<String> = titles(search(*args).answer)

    private fun titles(answer: JSONObject) = answer.objects("notes").map { it.getString("title") }

    @Test
    fun `all words must occur, in title or text, large or small, in any order`() {
        write("Shopping", "Milk and bread")
        write("Bread recipe", "flour")
        assertEquals(listOf("Shopping"), titles("words" to "bread MILK shop"))
        assertEquals(listOf("Bread recipe", "Shopping"), titles("words" to "bread"))
        assertEquals(emptyList<String>(), titles("words" to "bread absent"))
    }

    @Test
    fun `Chinese words are found`() {
        write("购物清单", "牛奶、面包")
        assertEquals(listOf("购物清单"), titles("words" to "面包"))
    }

    @Test
    fun `a tag fits as a whole only`() {
        write("One", "", "work")
        write("Two", "", "workshop")
        assertEquals(listOf("One"), titles("tag" to "Work"))
    }

    @Test
    fun `signs that mean something to SQL are only signs`() {
        write("100% wool", "a_b", "t")
        write("Other", "\\ it's")
        assertEquals(listOf("100% wool"), titles("words" to "%"))
        assertEquals(listOf("100% wool"), titles("words" to "a_b"))
        assertEquals(listOf("Other"), titles("words" to "\\"))
        assertEquals(listOf("Other"), titles("words" to "'"))
        assertEquals(emptyList<String>(), titles("words" to "x' OR '1'='1"))
        assertEquals(emptyList<String>(), titles("words" to "'); DROP TABLE notes; --"))
        assertEquals(emptyList<String>(), titles("tag" to "%"))
        assertEquals(2, titles().size)
    }

    @Test
    fun `since takes a day and a time with an offset`() {
        write("Now")
        assertEquals(listOf("Now"), titles("since" to "2026-01-30"))
        assertEquals(emptyList<String>(), titles("since" to "2026-02-02"))
        assertEquals(listOf("Now"), titles("since" to "2026-01-31T13:00:01+01:00"))
        assertEquals(emptyList<String>(), titles("since" to "2026-01-31T13:00:02+01:00"))
    }

    @Test
    fun `pages come newest first, without gaps or repeats, also when notes are added between them`() {
        (1..5).forEach { write("Note $it") }
        val first = search("limit" to 2).answer
        write("Later")
        val second = search("limit" to 2, "page" to first.getString("next_page")).answer
        val third = search("limit" to 2, "page" to second.getString("next_page")).answer
        val read = listOf(first, second, third).flatMap(::titles)
        assertEquals(listOf("Note 5", "Note 4", "Note 3", "Note 2", "Note 1"), read)
        assertFalse(third.has("next_page"))
    }

    @Test
    fun `notes of the same moment are paged as well`() {
        repeat(3) { store.save(Note(title = "Note $it", text = "")) }
        val first = search("limit" to 2).answer
        assertEquals(listOf("Note 0"), titles("limit" to 2, "page" to first.getString("next_page")))
    }

    @Test
    fun `wrong arguments are refused with a message that names them and their limit`() {
        val wrong = mapOf(
            mapOf("limit" to 0) to "limit must be a whole number from 1 to 50",
            mapOf("limit" to 51) to "limit must be a whole number from 1 to 50",
            mapOf("limit" to 2.5) to "limit must be",
            mapOf("limit" to "20") to "limit must be",
            mapOf("limit" to true) to "limit must be",
            mapOf("words" to 5) to "words must be text",
            mapOf("words" to "x".repeat(201)) to "words has more than 200 characters",
            mapOf("words" to "a ".repeat(11)) to "words has more than 10 words",
            mapOf("tag" to listOf("a")) to "tag must be text",
            mapOf("since" to "yesterday") to "since must be a day like",
            mapOf("since" to "+999999999-12-31") to "since must be a day like",
            mapOf("page" to "2") to "page must be the next_page",
            mapOf("colour" to "red") to "There is no argument \"colour\"; there are words, tag, since, limit, page.",
        )
        wrong.forEach { (args, message) ->
            val reply = search(*args.toList().toTypedArray<Pair<String, Any?>>())
            assertEquals("$args", "INVALID_ARGS", reply.code)
            assertTrue("$args: ${reply.message}", reply.message.startsWith(message))
        }
    }

    @Test
    fun `null and blank arguments count as left out, and whole numbers may be written with a point`() {
        write("One")
        write("Two")
        assertEquals(2, titles("words" to JSONObject.NULL, "tag" to " ", "since" to "").size)
        assertEquals(1, titles(phone.execute(Phone.BRIDGE, "search_notes", """{"limit": 1.0}""").answer).size)
    }

    @Test
    fun `one note comes with its whole text, and search with the beginning`() {
        val id = write("Long", "x".repeat(20_000))
        assertEquals(20_000, phone.execute(Phone.BRIDGE, "get_note", """{"id": $id}""").answer.getString("text").length)
        assertEquals(200, search().answer.objects("notes").single().getString("excerpt").length)
    }

    @Test
    fun `an id that is missing, no number or not there is invalid`() {
        val wrong = listOf("\"1\"", "0", "1e300", "7", "9007199254740993", "null").map { """{"id": $it}""" } + "{}"
        val replies = wrong.map { phone.execute(Phone.BRIDGE, "get_note", it) }
        assertEquals(wrong.map { "INVALID_ARGS" }, replies.map { it.code })
        assertTrue(replies.all { it.message.startsWith("id") })
    }
}
