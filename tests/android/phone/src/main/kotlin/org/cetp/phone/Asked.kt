package org.cetp.phone

import android.app.Activity
import android.app.Notification
import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.RadioButton
import android.widget.TextView
import kotlinx.coroutines.flow.first
import kotlinx.serialization.json.JsonElement
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.screens.ApprovalActivity
import org.cetp.bridge.app.screens.QuestionActivity
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.PersonRequest
import org.cetp.bridge.protocol.Question
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf

/** The owner is asked something, sees the notification, opens its screen and presses. */
class Asked(private val bridge: PhoneApp) {
    /** Wait to be asked about a call, and press the button of this name; what was seen, and how it ended. */
    suspend fun decide(press: String): JsonElement {
        val button = checkNotNull(BUTTONS[press]) { "no button $press" }
        return answer({ it is ApprovalRequest }, ApprovalActivity::class.java) { screen ->
            screen.findViewById<View>(button).performClick()
            screen.findViewById<TextView>(R.id.approval_arguments).text
        }
    }

    /** Wait for a question, and choose the option or write the words; what was seen, and how it ended. */
    suspend fun reply(words: String): JsonElement = answer({ it is Question }, QuestionActivity::class.java) { screen ->
        val options = screen.findViewById<ViewGroup>(R.id.question_options)
        val buttons = (0 until options.childCount).map { options.getChildAt(it) as RadioButton }
        val option = buttons.find { it.text.toString() == words }
        option?.performClick() ?: screen.findViewById<EditText>(R.id.question_words).setText(words)
        screen.findViewById<View>(R.id.question_send).performClick()
        screen.findViewById<TextView>(R.id.question_text).text
    }

    private suspend fun <T : Activity> answer(
        isIt: (PersonRequest) -> Boolean,
        screen: Class<T>,
        press: (T) -> CharSequence,
    ): JsonElement {
        val asked = bridge.bridge.requests.first { all -> all.open.any { isIt(it.request) } }
        val open = asked.open.first { isIt(it.request) }
        val notice = notice(open)
        val seen = onMain { press(screen, shadowOf(notice.contentIntent).savedIntent, press) }
        val ended = bridge.bridge.requests.first { it.find(open.key) == null }.ended.first { it.key == open.key }
        return jsonOf(
            "title" to notice.said(Notification.EXTRA_TITLE),
            "locked" to notice.publicVersion?.said(Notification.EXTRA_TEXT),
            "seen" to seen,
            "end" to ended.end,
        )
    }

    private fun <T : Activity> press(screen: Class<T>, opening: Intent, press: (T) -> CharSequence): CharSequence {
        check(opening.component?.className == screen.name) { "it opens $opening" }
        val controller = Robolectric.buildActivity(screen, opening)
        return press(controller.setup().get()).also { controller.pause().stop().destroy() }
    }

    private suspend fun notice(open: OpenRequest): Notification {
        val notice = Notice.Request(open.key)
        val place = notice.tag to notice.number
        return HeardNotifications.shown.first { place in it }.getValue(place)
    }

    private fun Notification.said(key: String): String = extras.getCharSequence(key).toString()

    private companion object {
        val BUTTONS = mapOf(
            "once" to R.id.approval_once,
            "session" to R.id.approval_session,
            "always" to R.id.approval_always,
            "deny" to R.id.approval_deny,
        )
    }
}
