package org.cetp.bridge.app.screens

import android.os.SystemClock
import android.view.MotionEvent
import android.view.View
import android.view.WindowManager
import android.widget.TextView
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.person.EndedRequest
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.person.RequestEnd
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.ShownArguments
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class, qualifiers = "h2400dp")
class ApprovalActivityTest {
    private val bridge get() = fakeParts.bridge

    @Before
    fun connected() {
        bridge.status.value = BridgeStatus.Connected(tools = 1, held = 0)
    }

    @Test
    fun `the whole call is shown, with what it does, where, for whom and until when`() = asked(wantsToWrite()) {
        assertEquals("notes__add_note", textOf(R.id.approval_tool))
        assertEquals("Writes", textOf(R.id.approval_effect))
        assertEquals("It changes, stores or deletes something.", textOf(R.id.approval_meaning))
        assertEquals("Runs on Phone, in the app com.example.notes.", textOf(R.id.approval_where))
        assertEquals("Asked for by the agent, in the session household.", textOf(R.id.approval_caller))
        assertEquals("Reason: It writes, and the session is supervised.", textOf(R.id.approval_reason))
        assertTrue(textOf(R.id.approval_until).orEmpty().startsWith("Without an answer by "))
        assertTrue(textOf(R.id.approval_arguments).orEmpty().contains("\"text\": \"Paid on Friday, by transfer.\""))
    }

    @Test
    fun `each button says what it says, and nothing is said before`() {
        val meanings = mapOf(
            R.id.approval_once to Decision.Allow(ApprovalScope.ONCE),
            R.id.approval_session to Decision.Allow(ApprovalScope.SESSION),
            R.id.approval_always to Decision.Allow(ApprovalScope.ALWAYS),
            R.id.approval_deny to Decision.Deny,
        )
        for ((button, decision) in meanings) {
            asked(wantsToWrite()) {
                assertFalse(findViewById<View>(button).isFocused)
                touch(button)
                assertEquals(listOf("decide a1 $decision"), bridge.wishes)
                bridge.wishes.clear()
            }
        }
    }

    @Test
    fun `only what the request permits can be allowed`() = asked(wantsToWrite(scopes = setOf(ApprovalScope.ONCE))) {
        assertTrue(isSeen(R.id.approval_once) && isSeen(R.id.approval_deny))
        assertFalse(isSeen(R.id.approval_session) || isSeen(R.id.approval_always))
    }

    @Test
    fun `what cannot be shown in full can only be denied`() {
        asked(wantsToWrite(arguments = ShownArguments("{\"text\": \"x", isWhole = false))) {
            assertTrue(textOf(R.id.approval_cut).orEmpty().contains("cetp approvals"))
            assertFalse(isSeen(R.id.approval_once) || isSeen(R.id.approval_session) || isSeen(R.id.approval_always))
            assertTrue(isSeen(R.id.approval_deny))
        }
    }

    @Test
    fun `fifty thousand characters of arguments are all there, above the buttons`() {
        val long = "{\n  \"text\": \"" + "word ".repeat(9_900) + "end\"\n}"
        asked(wantsToWrite(arguments = ShownArguments(long, isWhole = true))) {
            val arguments = findViewById<TextView>(R.id.approval_arguments)
            assertEquals(long, arguments.text.toString())
            assertEquals(Int.MAX_VALUE, arguments.maxLines)
            val order = window.decorView.seen()
            assertTrue(order.indexOf(arguments) < order.indexOf(findViewById(R.id.approval_once)))
        }
    }

    @Test
    fun `a touch through another app's window does not count`() = asked(wantsToWrite()) {
        for (flag in listOf(MotionEvent.FLAG_WINDOW_IS_OBSCURED, PARTIALLY_OBSCURED)) {
            tap(R.id.approval_once, flag)
            assertEquals(emptyList<String>(), bridge.wishes)
            assertTrue(textOf(R.id.request_covered).orEmpty().startsWith("Another app draws over this screen"))
        }
        tap(R.id.approval_once, flags = 0)
        assertEquals(1, bridge.wishes.size)
    }

    @Test
    fun `the screen is in no picture of it`() = asked(wantsToWrite()) {
        assertNotEquals(0, window.attributes.flags and WindowManager.LayoutParams.FLAG_SECURE)
    }

    @Test
    fun `after an answer there is no second one, and its way is told`() = asked(wantsToWrite()) {
        show(wantsToWrite().copy(answer = Decision.Deny))
        assertFalse(isSeen(R.id.request_answers))
        assertEquals("Your answer is on its way…", textOf(R.id.request_state))
        bridge.requests.value = PersonRequests(ended = listOf(EndedRequest(key, RequestEnd.DENIED, by = null)))
        settle()
        assertEquals("Denied. It does not run.", textOf(R.id.request_state))
    }

    @Test
    fun `what was decided elsewhere says so and leaves the call in view`() = asked(wantsToWrite()) {
        bridge.requests.value = PersonRequests(ended = listOf(EndedRequest(key, RequestEnd.ALLOWED, by = "tablet")))
        settle()
        assertEquals("Allowed.\nBy tablet.", textOf(R.id.request_state))
        assertEquals("notes__add_note", textOf(R.id.approval_tool))
        assertFalse(isSeen(R.id.request_answers))
    }

    @Test
    fun `every end has its words`() = asked(wantsToWrite()) {
        val words = RequestEnd.entries.map { end ->
            bridge.requests.value = PersonRequests(ended = listOf(EndedRequest(key, end, by = null)))
            settle()
            textOf(R.id.request_state)
        }
        assertEquals(words.size, words.filterNot { it.isNullOrEmpty() }.toSet().size)
    }

    @Test
    fun `without a connection an answer can be given, and waits`() = asked(wantsToWrite()) {
        bridge.status.value = waiting
        settle()
        assertTrue(textOf(R.id.request_state).orEmpty().startsWith("No connection now. An answer is sent"))
        assertTrue(isSeen(R.id.approval_deny))
        show(wantsToWrite().copy(answer = Decision.Deny))
        assertTrue(textOf(R.id.request_state).orEmpty().startsWith("No connection now. Your answer is sent"))
    }

    @Test
    fun `a request that is long over shows nothing that could be pressed`() {
        onScreen<ApprovalActivity>(RequestScreen.opening(RuntimeEnvironment.getApplication(), key)) {
            assertEquals("This is no longer open.", textOf(R.id.request_state))
            assertNull(textOf(R.id.approval_tool))
            assertFalse(isSeen(R.id.request_answers))
        }
    }

    @Test
    fun `a request stays when the phone is turned`() {
        show(wantsToWrite())
        val intent = RequestScreen.opening(RuntimeEnvironment.getApplication(), key)
        Robolectric.buildActivity(ApprovalActivity::class.java, intent).use { controller ->
            controller.setup()
            controller.recreate()
            settle()
            assertEquals("notes__add_note", controller.get().textOf(R.id.approval_tool))
        }
    }

    private val key = wantsToWrite().key

    private fun asked(open: OpenRequest, look: ApprovalActivity.() -> Unit) {
        show(open)
        onScreen<ApprovalActivity>(RequestScreen.opening(RuntimeEnvironment.getApplication(), open.key), look)
    }

    private fun show(open: OpenRequest) {
        bridge.requests.value = PersonRequests(listOf(open))
        settle()
    }

    private fun ApprovalActivity.isSeen(id: Int) = findViewById<View>(id).isSeen()

    private fun ApprovalActivity.tap(id: Int, flags: Int) {
        val view = findViewById<View>(id)
        for (action in listOf(MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP)) {
            view.dispatchTouchEvent(touchOf(action, flags))
        }
        settle()
    }

    private fun touchOf(action: Int, flags: Int): MotionEvent {
        val now = SystemClock.uptimeMillis()
        val finger = MotionEvent.PointerProperties().apply { toolType = MotionEvent.TOOL_TYPE_FINGER }
        val place = MotionEvent.PointerCoords().apply {
            x = 5f
            y = 5f
        }
        return MotionEvent.obtain(
            now, now, action, 1, arrayOf(finger), arrayOf(place), 0, 0, 1f, 1f, 0, 0, 0, flags,
        )
    }

    private companion object {
        /** Its name came with Android 10. */
        const val PARTIALLY_OBSCURED = 0x2
    }
}
