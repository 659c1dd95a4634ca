package com.example.notes.screens

import android.app.Activity
import android.app.AlertDialog
import android.app.Application
import android.content.DialogInterface
import android.content.Intent
import android.content.pm.PermissionInfo
import android.graphics.Insets
import android.os.Looper
import android.view.View
import android.view.WindowInsets
import android.widget.Button
import android.widget.EditText
import android.widget.ListView
import android.widget.RadioGroup
import android.widget.TextView
import com.example.notes.R
import com.example.notes.Requirement
import com.example.notes.cetp.Caller
import com.example.notes.cetp.Cetp
import com.example.notes.cetp.Decision
import com.example.notes.fakes.Phone
import com.example.notes.fakes.code
import com.example.notes.notes.Note
import com.example.notes.notes.NoteQuery
import com.example.notes.notes.NoteStore
import com.example.notes.tools.NotesTools
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowDialog
import org.robolectric.shadows.ShadowToast
import java.util.concurrent.Executor

/** What the user does on the screens, and what the next call is then answered. */
@RunWith(RobolectricTestRunner::class)
class ScreensTest {
    private val phone by lazy { Phone() }
    private val store by lazy { NoteStore(phone.context, phone.clock::get) }
    private val here = Executor(Runnable::run)

    private fun <A : Activity> open(activity: A, intent: Intent = Intent(phone.context, activity.javaClass)): A =
        ActivityController.of(activity, intent).setup().get()

    private fun Activity.tap(id: Int) = view<View>(id).performClick()
    private fun Activity.isShown(id: Int) = view<View>(id).visibility == View.VISIBLE
    private fun Activity.firstRow(): View = view<ListView>(R.id.list).let { it.adapter.getView(0, null, it) }
    private fun View.text(id: Int) = view<TextView>(id).text.toString()
    private fun Activity.text(id: Int) = view<TextView>(id).text.toString()
    private fun notes() = store.search(NoteQuery(), 100)

    private fun bridgeAsks(): Caller {
        val bridge = phone.install("org.cetp.bridge", Phone.BRIDGE, "bridge's certificate", label = "Bridge")
        assertEquals("AUTH_REQUIRED", phone.execute(Phone.BRIDGE, "search_notes").code)
        return bridge
    }

    @Test
    fun `a note is written, changed and deleted`() {
        val new = open(NoteActivity(here))
        assertFalse(new.isShown(R.id.delete))
        new.view<EditText>(R.id.title).setText("Dentist")
        new.view<EditText>(R.id.tags).setText("Health, 2026 health")
        new.tap(R.id.save)
        assertTrue(new.isFinishing)
        assertEquals(listOf("health", "2026"), notes().single().tags)

        val change = open(NoteActivity(here), NoteActivity.open(phone.context, notes().single().id))
        assertEquals("Dentist", change.view<EditText>(R.id.title).text.toString())
        change.view<EditText>(R.id.text).setText("Thursday")
        change.tap(R.id.save)
        assertEquals(listOf("Thursday"), notes().map { it.text })

        val last = open(NoteActivity(here), NoteActivity.open(phone.context, notes().single().id))
        last.tap(R.id.delete)
        assertEquals(1, notes().size)
        (ShadowDialog.getLatestDialog() as AlertDialog).getButton(DialogInterface.BUTTON_POSITIVE).performClick()
        shadowOf(Looper.getMainLooper()).idle()
        assertEquals(emptyList<Note>(), notes())
    }

    @Test
    fun `the first screen lists the notes, and opens the one that is tapped`() {
        val id = store.save(Note(title = "Dentist", text = "Thursday", tags = listOf("health")))
        val screen = open(NotesActivity(here))
        assertEquals("#health Thursday", screen.firstRow().text(R.id.excerpt))
        screen.view<ListView>(R.id.list).run { performItemClick(screen.firstRow(), 0, adapter.getItemId(0)) }
        val opened = shadowOf(screen).nextStartedActivity
        assertEquals(id, opened.getLongExtra("id", 0))
    }

    @Test
    @Suppress("DEPRECATION")
    fun `it is said that nobody can ask while no app defines the permission`() {
        assertTrue(open(NotesActivity(here)).isShown(R.id.permission_undefined))
        shadowOf(phone.context.packageManager).addPermissionInfo(PermissionInfo().apply { name = Cetp.PERMISSION })
        assertFalse(open(NotesActivity(here)).isShown(R.id.permission_undefined))
    }

    @Test
    fun `who asks is shown with name, package and certificate, and is allowed what was chosen`() {
        val bridge = bridgeAsks()
        val screen = open(AuthorizeActivity(phone.clock::get))
        assertTrue(screen.text(R.id.question).startsWith("Bridge asks"))
        assertEquals("org.cetp.bridge", screen.text(R.id.packages))
        val shown = screen.text(R.id.certificate).filter { it.isLetterOrDigit() }.lowercase()
        assertEquals(bridge.certificate, shown)
        screen.view<RadioGroup>(R.id.scope).check(R.id.scope_full)
        screen.view<RadioGroup>(R.id.expiry).check(R.id.expiry_day)
        screen.tap(R.id.allow)
        assertTrue(screen.isFinishing)
        assertEquals(Decision.Allowed(NotesTools.FULL, Phone.START + DAY), phone.callers.known()[bridge])
        assertNull(phone.execute(Phone.BRIDGE, "search_notes").code)
    }

    @Test
    fun `without a choice the narrower detail is allowed, for thirty days`() {
        val bridge = bridgeAsks()
        open(AuthorizeActivity(phone.clock::get)).tap(R.id.allow)
        assertEquals(Decision.Allowed(NotesTools.REDACTED, Phone.START + 30 * DAY), phone.callers.known()[bridge])
    }

    @Test
    fun `a refusal is kept, and closing the screen decides nothing`() {
        val bridge = bridgeAsks()
        open(AuthorizeActivity(phone.clock::get)).finish()
        assertEquals(Decision.Asked(Phone.START), phone.callers.known()[bridge])
        open(AuthorizeActivity(phone.clock::get)).tap(R.id.refuse)
        assertEquals("PERMISSION_DENIED", phone.execute(Phone.BRIDGE, "search_notes").code)
    }

    @Test
    fun `the intent cannot say who is asking`() {
        phone.install("com.example.stranger", Phone.STRANGER, "stranger's certificate")
        val intent = Intent("com.example.notes.AUTHORIZE_TOOLS")
            .putExtra("package", "com.example.stranger").putExtra("caller", "com.example.stranger")
        val screen = open(AuthorizeActivity(phone.clock::get), intent)
        assertTrue(screen.isShown(R.id.nobody))
        assertFalse(screen.isShown(R.id.allow))
        screen.tap(R.id.allow)
        assertTrue(phone.callers.known().isEmpty())
    }

    @Test
    fun `a second app that asks while the screen is open is not allowed by the tap meant for the first`() {
        val bridge = bridgeAsks()
        val screen = open(AuthorizeActivity(phone.clock::get))
        phone.clock.addAndGet(1)
        val stranger = phone.install("com.example.stranger", Phone.STRANGER, "stranger's certificate")
        phone.execute(Phone.STRANGER, "search_notes")
        screen.tap(R.id.allow)
        assertTrue(phone.callers.known()[bridge] is Decision.Allowed)
        assertTrue(phone.callers.known()[stranger] is Decision.Asked)
    }

    @Test
    fun `a name with line breaks and direction marks is shown on one line without them`() {
        phone.install("com.example.stranger", Phone.STRANGER, "c", label = "Notes\n\u202Eitself " + "x".repeat(100))
        phone.execute(Phone.STRANGER, "search_notes")
        val question = open(AuthorizeActivity(phone.clock::get)).text(R.id.question)
        assertTrue(question.startsWith("Notesitself xxx"))
        assertTrue(question.length < 200)
    }

    @Requirement("cetp.3.2.allow-list")
    @Test
    fun `the list of apps says what each may do, and takes it back`() {
        val bridge = bridgeAsks()
        phone.callers.decide(bridge, Decision.Allowed(NotesTools.FULL, Long.MAX_VALUE))
        val screen = open(CallersActivity(phone.clock::get))
        assertEquals("Titles, tags and whole texts. Until you revoke it", screen.firstRow().text(R.id.state))
        val revoke = screen.firstRow().view<Button>(R.id.action)
        assertEquals("Revoke the permission of Bridge", revoke.contentDescription)
        revoke.performClick()
        assertTrue(screen.isShown(R.id.empty))
        assertEquals("AUTH_REQUIRED", phone.execute(Phone.BRIDGE, "search_notes").code)
    }

    @Test
    fun `an app that asks is announced on the first screen, which leads to the decision`() {
        bridgeAsks()
        val screen = open(NotesActivity(here))
        assertEquals("Bridge asks to read your notes. Tap to decide.", screen.text(R.id.asking))
        screen.tap(R.id.asking)
        val opened = shadowOf(phone.context as Application).nextStartedActivity
        assertEquals(AuthorizeActivity::class.java.name, opened.component?.className)
    }

    @Test
    @Config(sdk = [36])
    fun `where Android draws behind its bars, nothing that matters lies there`() {
        val screen = open(NotesActivity(here))
        val bars = WindowInsets.Builder().setInsets(WindowInsets.Type.systemBars(), Insets.of(0, 50, 0, 40)).build()
        val content = screen.view<View>(R.id.screen)
        assertTrue(content.dispatchApplyWindowInsets(bars).isConsumed)
        assertEquals(listOf(50, 40), listOf(content.paddingTop, content.paddingBottom))
    }

    @Test
    fun `a damaged database is said and costs nothing else`() {
        val file = phone.context.getDatabasePath("notes.db").apply { parentFile!!.mkdirs() }
        file.writeText("this is no database ".repeat(1_000))
        val screen = open(NotesActivity(here))
        assertFalse(screen.isShown(R.id.empty))
        assertEquals(screen.getString(R.string.failed), ShadowToast.getTextOfLatestToast())
    }

    private companion object {
        const val DAY = 86_400_000L
    }
}
