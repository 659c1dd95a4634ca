package org.cetp.bridge.app.screens

import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.RadioButton
import android.widget.TextView
import org.cetp.bridge.app.R
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.protocol.Question
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.RequestKey

/** What a model wants to know: choices, words of the owner's own, or no answer. */
class QuestionActivity : RequestScreen(R.layout.question, R.string.question, RequestKey.Kind.QUESTION) {
    /** The options in their order. Only the main thread touches these two. */
    private var options: List<Question.Option> = emptyList()

    /** Position of the option that was chosen, or [NONE]. */
    private var chosen = NONE

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        chosen = savedInstanceState?.getInt(CHOSEN, NONE) ?: NONE
        part<View>(R.id.question_text).heading()
        answers(R.id.question_send, ::send)
        answers(R.id.question_decline) { parts.bridge.reply(requestId, Reply.Declined) }
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putInt(CHOSEN, chosen)
    }

    override fun render(open: OpenRequest) {
        val question = open.request as? Question ?: return
        options = question.options
        part<View>(R.id.question_asked).shownIf(true)
        part<TextView>(R.id.question_text).words(Words.Plain(shown(question.text, LONGEST_TEXT)))
        part<TextView>(R.id.question_caller).words(callerWords(question.caller, question.session))
        part<TextView>(R.id.question_until).words(untilWords(open, R.string.question_until))
        part<View>(R.id.question_options).shownIf(options.isNotEmpty())
        part<View>(R.id.question_own).shownIf(question.otherAnswers)
        renderOptions()
    }

    private fun renderOptions() {
        val rows = options.withIndex().toList()
        part<ViewGroup>(R.id.question_options).rows(rows, R.layout.option_row) { row, (index, option) ->
            val button = row.part<RadioButton>(R.id.option)
            button.words(lines(plain(option.label), option.description?.let(::plain)))
            button.isChecked = index == chosen
            button.setOnClickListener { choose(index) }
        }
    }

    private fun choose(index: Int) {
        chosen = index
        part<EditText>(R.id.question_words).text.clear()
        renderOptions()
    }

    /** Words that were typed are meant, since an option that was chosen later takes them away. */
    private fun send() {
        val typed = part<EditText>(R.id.question_words).text.toString().takeIf { it.isNotBlank() }
        val said = typed ?: options.getOrNull(chosen)?.label
        part<View>(R.id.question_missing).shownIf(said == null)
        if (said != null) parts.bridge.reply(requestId, Reply.Said(said))
    }

    private companion object {
        const val CHOSEN = "chosen"
        const val NONE = -1
        const val LONGEST_TEXT = 4000
    }
}
