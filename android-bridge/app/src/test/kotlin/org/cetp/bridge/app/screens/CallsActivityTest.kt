package org.cetp.bridge.app.screens

import android.content.Intent
import android.view.View
import android.widget.ListView
import org.cetp.bridge.app.R
import org.cetp.bridge.journal.CallOutcome
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowToast

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class, qualifiers = "h2400dp")
class CallsActivityTest {
    private val bridge get() = fakeParts.bridge

    @Test
    fun `before the first call the screen says what will be there`() = onScreen<CallsActivity> {
        assertTrue(textOf(R.id.calls_none).orEmpty().startsWith("No call yet."))
        bridge.calls.value = callsOfAMorning(NOW)
        settle()
        assertNull(textOf(R.id.calls_none))
        assertEquals(5, list().count)
    }

    @Test
    fun `each outcome has its words, and the app is named`() = calls {
        assertEquals(
            listOf("Running", "Needs your consent", "Answered", "Timed out", "Wrong arguments"),
            rows().map { it.textOf(R.id.call_badge) },
        )
        assertEquals("notes__search_notes", rows()[2].textOf(R.id.call_tool))
        assertEquals("Notes", rows()[2].textOf(R.id.call_where))
        assertTrue(rows()[2].textOf(R.id.call_time).orEmpty().endsWith(" · 48 ms"))
        assertEquals("1830 characters", rows()[2].textOf(R.id.call_detail))
        assertEquals("id: a number is wanted. (INVALID_ARGS)", rows()[4].textOf(R.id.call_detail))
    }

    @Test
    fun `arguments are shown only after a touch, and hidden by the next`() = calls {
        assertNull(rows()[2].textOf(R.id.call_arguments))
        assertFalse(texts().any { "rent" in it })
        touchHead(2)
        assertEquals("""{"query":"rent","page":1}""", rows()[2].textOf(R.id.call_arguments))
        assertNull(rows()[1].textOf(R.id.call_arguments))
        touchHead(2)
        assertNull(rows()[2].textOf(R.id.call_arguments))
    }

    @Test
    fun `arguments stay shown when the phone is turned`() {
        bridge.calls.value = callsOfAMorning(NOW)
        Robolectric.buildActivity(CallsActivity::class.java).use { controller ->
            controller.setup().get().touchHead(2)
            controller.recreate()
            settle()
            assertEquals("""{"query":"rent","page":1}""", controller.get().rows()[2].textOf(R.id.call_arguments))
        }
    }

    @Test
    fun `only a call whose app asked to be authorised has the two buttons, and they do it`() = calls {
        assertEquals(listOf(false, true, false, false, false), rows().map { it.part<View>(R.id.call_buttons).isSeen() })
        fakeParts.authorizeScreen = Intent("com.example.notes.ALLOW")
        rows()[1].part<View>(R.id.call_authorise).performClick()
        assertEquals("com.example.notes.ALLOW", shadowOf(this).nextStartedActivity.action)
        rows()[1].part<View>(R.id.call_repeat).performClick()
        assertEquals(listOf("repeat 4"), bridge.wishes)
    }

    @Test
    fun `an app without such a screen is said to have none`() = calls {
        rows()[1].part<View>(R.id.call_authorise).performClick()
        assertNull(shadowOf(this).nextStartedActivity)
        assertEquals(getString(R.string.call_no_screen), ShadowToast.getTextOfLatestToast())
    }

    @Test
    fun `a code that a provider made up is a failure that shows the code`() {
        bridge.calls.value = listOf(call("1", "read_note", NOW, CallOutcome.Refused("MADE_UP", "no")))
        onScreen<CallsActivity> {
            assertEquals("Failed", rows().single().textOf(R.id.call_badge))
            assertEquals("no (MADE_UP)", rows().single().textOf(R.id.call_detail))
        }
    }

    private fun calls(look: CallsActivity.() -> Unit) {
        bridge.providers.value = listOf(notes)
        bridge.calls.value = callsOfAMorning(NOW)
        onScreen<CallsActivity>(look = look)
    }

    private fun CallsActivity.list(): ListView = part(R.id.calls_list)

    private fun CallsActivity.rows(): List<View> = (0 until list().childCount).map { list().getChildAt(it) }

    private fun CallsActivity.touchHead(row: Int) {
        rows()[row].part<View>(R.id.call_head).performClick()
        settle()
    }

    private companion object {
        const val NOW = 1_796_030_040_000L
    }
}
