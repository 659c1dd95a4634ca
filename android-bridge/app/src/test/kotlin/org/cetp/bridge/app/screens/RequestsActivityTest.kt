package org.cetp.bridge.app.screens

import android.view.View
import android.view.ViewGroup
import android.widget.Switch
import org.cetp.bridge.app.R
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Decision
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class, qualifiers = "h2400dp")
class RequestsActivityTest {
    private val bridge get() = fakeParts.bridge

    @Test
    fun `whatever waits for the owner leads to its screen`() = onScreen<RequestsActivity> {
        assertEquals("Nothing waits for you now.", textOf(R.id.requests_none))
        bridge.requests.value = PersonRequests(listOf(wantsToWrite(), wantsToKnow()))
        settle()
        assertNull(textOf(R.id.requests_none))
        assertEquals(listOf("notes__add_note", "A question for you"), rows().map { it.textOf(R.id.link_title) })
        assertEquals("Writes", rows()[0].textOf(R.id.link_detail))
        rows()[1].performClick()
        val opened = shadowOf(this).nextStartedActivity
        assertEquals(QuestionActivity::class.java.name, opened.component?.className)
        assertEquals("q1", opened.data?.schemeSpecificPart)
    }

    @Test
    fun `what has been answered waits no more`() = onScreen<RequestsActivity> {
        bridge.requests.value = PersonRequests(listOf(wantsToWrite().copy(answer = Decision.Deny)))
        settle()
        assertTrue(findViewById<View>(R.id.requests_none).isSeen())
    }

    @Test
    fun `the owner can be asked elsewhere alone`() = onScreen<RequestsActivity> {
        val switch = findViewById<Switch>(R.id.requests_here)
        assertTrue(switch.isChecked)
        switch.performClick()
        assertEquals(listOf("decide here false"), fakeParts.wishes)
        settle()
        switch.performClick()
        assertEquals("decide here true", fakeParts.wishes.last())
    }

    @Test
    fun `the first screen counts what waits`() = onScreen<StatusActivity> {
        assertTrue(texts().contains("What the gateway asks you"))
        bridge.requests.value = PersonRequests(listOf(wantsToWrite(), wantsToKnow()))
        settle()
        assertTrue(texts().contains("2 wait for your answer"))
    }

    private fun RequestsActivity.rows(): List<View> {
        val list = findViewById<ViewGroup>(R.id.requests_list)
        return (0 until list.childCount).map(list::getChildAt)
    }
}
