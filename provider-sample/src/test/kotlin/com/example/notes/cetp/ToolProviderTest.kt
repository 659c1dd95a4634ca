package com.example.notes.cetp

import android.content.ContentValues
import android.content.Intent
import android.content.pm.PackageManager
import android.net.Uri
import android.os.Bundle
import com.example.notes.fakes.Phone
import com.example.notes.fakes.answer
import com.example.notes.fakes.code
import com.example.notes.fakes.message
import com.example.notes.fakes.objects
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import com.example.notes.tools.NotesTools
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.shadows.ShadowBinder
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit

/** The provider as another app meets it: through the resolver, with all six codes for real reasons. */
@RunWith(RobolectricTestRunner::class)
class ToolProviderTest {
    private val phone by lazy { Phone() }
    private val store by lazy { NoteStore(phone.context, phone.clock::get) }

    @Before
    fun aPhoneWithABridgeThatMayReadEverything() {
        val bridge = phone.install("org.cetp.bridge", Phone.BRIDGE, "bridge's certificate")
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
    }

    @Test
    fun `tools and facts are told to anybody who may call`() {
        val tools = phone.call(Phone.STRANGER, "list_tools").answer.objects("tools")
        assertEquals(listOf("search_notes", "get_note"), tools.map { it.getString("name") })
        assertEquals("Notes", phone.call(Phone.STRANGER, "get_provider_info").answer.getString("provider_name"))
    }

    @Test
    fun `an allowed app reads the notes`() {
        store.save(Note(title = "Dentist", text = "Thursday at nine"))
        val reply = phone.execute(Phone.BRIDGE, "search_notes", """{"words": "thursday"}""")
        assertEquals("Dentist", reply.answer.objects("notes").single().getString("title"))
    }

    @Test
    fun `an unknown method and an unknown tool are not found`() {
        assertEquals("TOOL_NOT_FOUND", phone.call(Phone.BRIDGE, "negotiate").code)
        assertEquals("TOOL_NOT_FOUND", phone.execute(Phone.BRIDGE, "delete_note").code)
    }

    @Test
    fun `an app nobody decided on needs authorisation, with a hint and an exported screen for it`() {
        phone.install("com.example.stranger", Phone.STRANGER, "stranger's certificate")
        val reply = phone.execute(Phone.STRANGER, "search_notes")
        assertEquals("AUTH_REQUIRED", reply.code)
        assertTrue(reply.getString("resolution_hint")!!.contains("Notes"))
        val intent = Intent(reply.getString("authorize_intent")).setPackage(phone.context.packageName)
        val screen = phone.context.packageManager.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY)
        assertTrue(screen!!.activityInfo.exported)
    }

    @Test
    fun `arguments that are no strict JSON object are invalid`() {
        val text = listOf(
            "", "null", "[]", "\"words\"", "{words: 1}", "{'words': 'a'}", "{} // comment", "{}{}",
            "{\"limit\":1,}", "{\"limit\": 01}", "{\"words\": \"${"x".repeat(10_000)}\"}",
        )
        val deep = listOf("{\"a\":".repeat(50_000), "[".repeat(9_000), "{\"a\":".repeat(20) + "1" + "}".repeat(20))
        (text + deep).forEach {
            assertEquals(it.take(40), "INVALID_ARGS", phone.execute(Phone.BRIDGE, "search_notes", it).code)
        }
    }

    @Test
    fun `extras that are missing or of the wrong type are answered, not thrown`() {
        assertEquals("INVALID_ARGS", phone.call(Phone.BRIDGE, "execute_tool").code)
        val numbers = Bundle().apply { putInt("tool_name", 1) }
        assertEquals("INVALID_ARGS", phone.call(Phone.BRIDGE, "execute_tool", numbers).code)
        val nested = Bundle().apply {
            putString("tool_name", "search_notes")
            putBundle("args", Bundle())
        }
        assertEquals("INVALID_ARGS", phone.call(Phone.BRIDGE, "execute_tool", nested).code)
        val huge = Bundle().apply { putString("tool_name", "x".repeat(500_000)) }
        assertEquals("TOOL_NOT_FOUND", phone.call(Phone.BRIDGE, "execute_tool", huge).code)
    }

    @Test
    fun `unknown extras are ignored`() {
        val extras = Bundle().apply {
            putString("tool_name", "search_notes")
            putString("request_id", "not a UUID")
            putIntArray("more", intArrayOf(1))
        }
        assertNotNull(phone.call(Phone.BRIDGE, "execute_tool", extras).answer)
    }

    @Test
    fun `too many calls in a minute are refused, for that caller alone and for that minute`() {
        repeat(CallerPolicy.CALLS_A_MINUTE) { phone.call(Phone.BRIDGE, "list_tools") }
        assertEquals("RATE_LIMITED", phone.execute(Phone.BRIDGE, "search_notes").code)
        assertEquals(null, phone.call(Phone.STRANGER, "list_tools").code)
        phone.clock.addAndGet(60_000)
        assertEquals(null, phone.execute(Phone.BRIDGE, "search_notes").code)
    }

    @Test
    fun `a damaged database is an internal error that says nothing of its inside, and the file is kept`() {
        val file = phone.context.getDatabasePath("notes.db").apply { parentFile!!.mkdirs() }
        file.writeText("this is no database ".repeat(1_000))
        val reply = phone.execute(Phone.BRIDGE, "search_notes")
        assertEquals("INTERNAL_ERROR", reply.code)
        assertTrue(reply.message, "sql" !in reply.message.lowercase())
        assertTrue(file.readText().startsWith("this is no database"))
    }

    @Test
    fun `calls side by side are all answered`() {
        repeat(20) { store.save(Note(title = "Note $it", text = "words")) }
        val threads = Executors.newFixedThreadPool(8)
        val calls = (1..40).map {
            Callable {
                ShadowBinder.setCallingUid(Phone.BRIDGE)
                phone.execute(Phone.BRIDGE, "search_notes")
            }
        }
        val replies = threads.invokeAll(calls, 30, TimeUnit.SECONDS).map { it.get() }
        threads.shutdown()
        assertEquals(listOf(20), replies.map { it.answer.objects("notes").size }.distinct())
    }

    @Test
    fun `the largest page is far under the limit of a transaction`() {
        repeat(60) {
            store.save(Note(title = "\u0001".repeat(200), text = "\u0001".repeat(20_000)))
        }
        val page = phone.execute(Phone.BRIDGE, "search_notes", """{"limit": 50}""")
        assertEquals(50, page.answer.objects("notes").size)
        val note = phone.execute(Phone.BRIDGE, "get_note", """{"id": 1}""")
        assertEquals(20_000, note.answer.getString("text").length)
    }

    @Test
    fun `half of a surrogate pair does not reach the border`() {
        store.save(Note(title = "half \uD83D", text = "x".repeat(199) + "\uD83D\uDE00"))
        val data = phone.execute(Phone.BRIDGE, "search_notes").getString("data")!!
        assertEquals(data, data.toByteArray().toString(Charsets.UTF_8))
    }

    @Test
    fun `nothing of a ContentProvider but calls is answered`() {
        val uri = Uri.parse("content://${phone.authority}")
        assertEquals(null, phone.context.contentResolver.query(uri, null, null, null, null))
        assertEquals(null, phone.context.contentResolver.insert(uri, ContentValues()))
        assertEquals(0, phone.context.contentResolver.delete(uri, null, null))
    }
}
