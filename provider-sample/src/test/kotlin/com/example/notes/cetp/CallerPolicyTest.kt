package com.example.notes.cetp

import com.example.notes.Requirement
import com.example.notes.fakes.Phone
import com.example.notes.fakes.answer
import com.example.notes.fakes.code
import com.example.notes.fakes.objects
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import com.example.notes.tools.NotesTools
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner

/** UID → packages → certificate → grant, seen through calls. */
@RunWith(RobolectricTestRunner::class)
class CallerPolicyTest {
    private val phone by lazy { Phone() }
    private val store by lazy { NoteStore(phone.context, phone.clock::get) }
    private lateinit var bridge: Caller

    @Before
    fun aBridge() {
        bridge = phone.install("org.cetp.bridge", Phone.BRIDGE, "bridge's certificate")
    }

    private fun search() = phone.execute(Phone.BRIDGE, "search_notes")

    @Requirement("cetp.1.any-consumer")
    @Test
    fun `the first call asks, and the same call is answered once the user has agreed`() {
        assertEquals("AUTH_REQUIRED", search().code)
        assertEquals(mapOf(bridge to Decision.Asked(Phone.START)), phone.callers.known())
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
        assertNull(search().code)
    }

    @Test
    fun `a refused app is denied until its record is forgotten`() {
        phone.callers.decide(bridge, Decision.Refused)
        assertEquals("PERMISSION_DENIED", search().code)
        assertEquals(mapOf(bridge to Decision.Refused), phone.callers.known())
        phone.callers.forget(bridge)
        assertEquals("AUTH_REQUIRED", search().code)
    }

    @Requirement("cetp.3.2.expiry")
    @Test
    fun `a permission ends at its last moment and is asked for again`() {
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Phone.START + 1_000))
        phone.clock.addAndGet(999)
        assertNull(search().code)
        phone.clock.addAndGet(1)
        assertEquals("AUTH_REQUIRED", search().code)
        assertEquals(mapOf(bridge to Decision.Asked(Phone.START + 1_000)), phone.callers.known())
    }

    @Requirement("cetp.1.no-identity")
    @Test
    fun `the same package with another certificate is another caller`() {
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
        val impostor = phone.install("org.cetp.bridge", Phone.BRIDGE, "somebody's certificate")
        assertNotEquals(bridge, impostor)
        assertEquals("AUTH_REQUIRED", search().code)
    }

    @Requirement("cetp.3.2.own-policy")
    @Test
    fun `apps that share a UID are one caller, and a new one among them is asked about`() {
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
        val both = phone.install("org.cetp.second", Phone.BRIDGE, "bridge's certificate")
        assertEquals(listOf("org.cetp.bridge", "org.cetp.second"), both.packages)
        assertEquals("AUTH_REQUIRED", search().code)
    }

    @Test
    fun `a caller that cannot be told is denied and not written down`() {
        assertEquals("PERMISSION_DENIED", phone.execute(Phone.STRANGER, "search_notes").code)
        assertTrue(phone.callers.known().isEmpty())
    }

    @Test
    fun `of many apps that ask only the latest are kept, and decisions stay`() {
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
        val asking = (1..25).map { number ->
            phone.clock.addAndGet(1)
            phone.install("com.example.app$number", 10_200 + number, "certificate $number").also {
                phone.execute(10_200 + number, "search_notes")
            }
        }
        assertEquals(asking.takeLast(20).toSet() + bridge, phone.callers.known().keys)
    }

    @Requirement("cetp.3.2.granularity")
    @Test
    fun `the narrower grant shows no text and finds nothing by it`() {
        store.save(Note(title = "Dentist", text = "secret appointment", tags = listOf("health")))
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.REDACTED, Long.MAX_VALUE))
        val found = phone.execute(Phone.BRIDGE, "search_notes", """{"words": "dentist"}""")
        assertFalse("secret" in found.getString("data")!!)
        assertTrue(found.answer.getString("redacted").isNotEmpty())
        val bySecret = phone.execute(Phone.BRIDGE, "search_notes", """{"words": "secret"}""")
        assertTrue(bySecret.answer.objects("notes").isEmpty())
        val note = phone.execute(Phone.BRIDGE, "get_note", """{"id": 1}""").answer
        assertTrue(note.isNull("text"))
        assertEquals("Dentist", note.getString("title"))
    }

    @Test
    fun `decisions are still there after the app was started again`() {
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.REDACTED, 5))
        assertEquals(mapOf(bridge to Decision.Allowed(NotesTools.REDACTED, 5)), CallerPolicy(phone.context).known())
    }
}
