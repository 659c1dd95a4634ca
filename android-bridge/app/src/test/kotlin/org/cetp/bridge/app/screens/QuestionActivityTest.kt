package org.cetp.bridge.app.screens

import android.view.View
import android.view.ViewGroup
import android.view.WindowManager
import android.widget.EditText
import android.widget.RadioButton
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Question
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
class QuestionActivityTest {
    private val bridge get() = fakeParts.bridge

    @Before
    fun connected() {
        bridge.status.value = BridgeStatus.Connected(tools = 1, held = 0)
    }

    @Test
    fun `the question, who asks and the options are shown, and none is chosen`() = asked(wantsToKnow()) {
        assertEquals("Which evening shall I write into the invitation?", textOf(R.id.question_text))
        assertEquals("Asked for by the agent.", textOf(R.id.question_caller))
        assertTrue(textOf(R.id.question_until).orEmpty().startsWith("An answer counts until "))
        val texts = options().map { it.text.toString() }
        assertEquals(listOf("Friday evening\nThe hall is free, and everybody has time", "Saturday"), texts)
        assertEquals(emptyList<RadioButton>(), options().filter { it.isChecked })
        assertNotEquals(0, window.attributes.flags and WindowManager.LayoutParams.FLAG_SECURE)
    }

    @Test
    fun `the option that was chosen is sent by its label`() = asked(wantsToKnow(others = false)) {
        assertFalse(findViewById<View>(R.id.question_words).isSeen())
        options()[1].performClick()
        options()[0].performClick()
        assertEquals(listOf(true, false), options().map { it.isChecked })
        touch(R.id.question_send)
        assertEquals(listOf("reply q1 Friday evening"), bridge.wishes)
    }

    @Test
    fun `words of the owner's own are sent, and an option chosen later takes them away`() = asked(wantsToKnow()) {
        options()[0].performClick()
        type("Sunday, after lunch")
        touch(R.id.question_send)
        assertEquals(listOf("reply q1 Sunday, after lunch"), bridge.wishes)
        options()[1].performClick()
        touch(R.id.question_send)
        assertEquals("reply q1 Saturday", bridge.wishes.last())
    }

    @Test
    fun `nothing is sent before there is an answer`() = asked(wantsToKnow(options = emptyList())) {
        type("  ")
        touch(R.id.question_send)
        assertEquals(emptyList<String>(), bridge.wishes)
        assertEquals("Choose an answer or write one.", textOf(R.id.question_missing))
        type("Sunday")
        touch(R.id.question_send)
        assertNull(textOf(R.id.question_missing))
        assertEquals(listOf("reply q1 Sunday"), bridge.wishes)
    }

    @Test
    fun `the owner need not answer`() = asked(wantsToKnow()) {
        touch(R.id.question_decline)
        assertEquals(listOf("decline q1"), bridge.wishes)
    }

    @Test
    fun `a model's text cannot turn the direction of writing`() {
        val tricky = wantsToKnow(options = listOf(Question.Option("no\u202Esey", "line\u0007")))
        asked(tricky) {
            assertEquals("nosey\nline", options().single().text.toString())
            options().single().performClick()
            touch(R.id.question_send)
            assertEquals(listOf("reply q1 no\u202Esey"), bridge.wishes)
        }
    }

    @Test
    fun `what was chosen or typed is still there when the phone is turned`() {
        show(wantsToKnow())
        Robolectric.buildActivity(QuestionActivity::class.java, opening()).use { controller ->
            controller.setup().get().options()[1].performClick()
            controller.recreate()
            settle()
            assertEquals(listOf(false, true), controller.get().options().map { it.isChecked })
            controller.get().type("Sunday")
            controller.recreate()
            settle()
            controller.get().touch(R.id.question_send)
            assertEquals(listOf("reply q1 Sunday"), bridge.wishes)
        }
    }

    @Test
    fun `an answer that was not taken can be given anew`() = asked(wantsToKnow()) {
        show(wantsToKnow().copy(refusal = "The answer is too long."))
        assertEquals("The gateway did not take the answer.\nThe answer is too long.", textOf(R.id.request_state))
        assertTrue(findViewById<View>(R.id.question_send).isSeen())
    }

    private fun asked(open: OpenRequest, look: QuestionActivity.() -> Unit) {
        show(open)
        onScreen<QuestionActivity>(opening(), look)
    }

    private fun show(open: OpenRequest) {
        bridge.requests.value = PersonRequests(listOf(open))
        settle()
    }

    private fun opening() = RequestScreen.opening(RuntimeEnvironment.getApplication(), wantsToKnow().key)

    private fun QuestionActivity.options(): List<RadioButton> {
        val options = findViewById<ViewGroup>(R.id.question_options)
        return (0 until options.childCount).map { options.getChildAt(it).part<RadioButton>(R.id.option) }
    }

    private fun QuestionActivity.type(words: String) = findViewById<EditText>(R.id.question_words).setText(words)
}
