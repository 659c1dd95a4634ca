package com.example.notes.tools

import android.os.Bundle
import com.example.notes.cetp.CallerPolicy
import com.example.notes.cetp.Decision
import com.example.notes.fakes.Phone
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import java.io.File
import java.util.TimeZone

/**
 * Replies as they are, kept in `golden/`, where the Python tests validate them. After a wanted change write them anew
 * with `-Dgolden.write=true`.
 */
@RunWith(RobolectricTestRunner::class)
class GoldenRepliesTest {
    private val phone by lazy { Phone() }
    private val zone = TimeZone.getDefault()

    @Before
    fun notesInShanghai() {
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Shanghai"))
        val store = NoteStore(phone.context, phone.clock::get)
        store.save(Note(title = "Dentist", text = "Thursday, 9:00\nBring the x-ray.", tags = listOf("health")))
        phone.clock.addAndGet(60_000)
        store.save(Note(title = "购物清单", text = "牛奶、面包 🥛", tags = listOf("home", "买")))
        val bridge = phone.install("org.cetp.bridge", Phone.BRIDGE, "bridge's certificate")
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
        val reader = phone.install("com.example.reader", READER, "reader's certificate")
        phone.callers.decide(reader, Decision.Allowed(NotesTools.REDACTED, Long.MAX_VALUE))
        phone.callers.decide(phone.install("com.example.refused", REFUSED, "other"), Decision.Refused)
        phone.install("com.example.stranger", Phone.STRANGER, "stranger's certificate")
    }

    @After
    fun backToTheOldZone() = TimeZone.setDefault(zone)

    @Test
    fun `replies are those in the golden files`() {
        expect("list_tools", phone.call(Phone.BRIDGE, "list_tools"))
        expect("get_provider_info", phone.call(Phone.BRIDGE, "get_provider_info"))
        expect("search_notes", phone.execute(Phone.BRIDGE, "search_notes", """{"limit": 1}"""))
        expect("search_notes_empty", phone.execute(Phone.BRIDGE, "search_notes", """{"words": "nowhere"}"""))
        expect("search_notes_redacted", phone.execute(READER, "search_notes"))
        expect("get_note", phone.execute(Phone.BRIDGE, "get_note", """{"id": 1}"""))
        expect("get_note_redacted", phone.execute(READER, "get_note", """{"id": 1}"""))
        expect("auth_required", phone.execute(Phone.STRANGER, "get_note", """{"id": 1}"""))
        expect("permission_denied", phone.execute(REFUSED, "get_note", """{"id": 1}"""))
        expect("tool_not_found", phone.execute(Phone.BRIDGE, "delete_note"))
        expect("invalid_args", phone.execute(Phone.BRIDGE, "search_notes", """{"limit": 500}"""))
    }

    @Test
    fun `the reply to too many calls is that in the golden file`() {
        repeat(CallerPolicy.CALLS_A_MINUTE) { phone.call(Phone.BRIDGE, "list_tools") }
        expect("rate_limited", phone.call(Phone.BRIDGE, "list_tools"))
    }

    @Test
    fun `the reply when the database is damaged is that in the golden file`() {
        phone.context.getDatabasePath("notes.db").run {
            listOf("", "-wal", "-shm").forEach { File(path + it).delete() }
            writeText("this is no database ".repeat(1_000))
        }
        expect("internal_error", phone.execute(Phone.BRIDGE, "search_notes"))
    }

    private fun expect(name: String, reply: Bundle) {
        val text = JSONObject(reply.keySet().sorted().associateWith(reply::getString)).toString(2) + "\n"
        val file = File(System.getProperty("cetp.spec")).resolveSibling("provider-sample/golden/$name.json")
        if (System.getProperty("golden.write") == "true") file.writeText(text)
        assertEquals(name, file.readText(), text)
    }

    private companion object {
        const val READER = 10_103
        const val REFUSED = 10_104
    }
}
