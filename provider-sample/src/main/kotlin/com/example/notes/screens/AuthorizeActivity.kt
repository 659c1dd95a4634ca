package com.example.notes.screens

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.text.format.DateUtils
import android.view.View
import android.widget.Button
import android.widget.ImageView
import android.widget.RadioGroup
import android.widget.TextView
import com.example.notes.R
import com.example.notes.cetp.Caller
import com.example.notes.cetp.CallerPolicy
import com.example.notes.cetp.Decision
import com.example.notes.tools.NotesTools

/**
 * The screen that `authorize_intent` opens: may this app read the notes, how much, and for how long?
 *
 * Whom it asks about is what the provider wrote down when that app called. The intent says nothing: anybody can send
 * it.
 */
class AuthorizeActivity(private val now: () -> Long = System::currentTimeMillis) : Activity() {
    private val callers by lazy { CallerPolicy(this, now) }

    /** Whom the screen shows; a decision is never on anybody else. */
    private var shown: Caller? = null

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.authorize)
        keepClearOfBars(view(R.id.screen))
        view<Button>(R.id.allow).setOnClickListener { decide(Decision.Allowed(chosenScope(), chosenEnd())) }
        view<Button>(R.id.refuse).setOnClickListener { decide(Decision.Refused) }
        view<Button>(R.id.close).setOnClickListener { finish() }
        showLatest()
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        showLatest()
    }

    private fun showLatest() {
        val latest = callers.asking().firstOrNull()
        shown = latest
        listOf(R.id.request, R.id.allow, R.id.refuse).forEach { view<View>(it).showIf(latest != null) }
        listOf(R.id.nobody, R.id.close).forEach { view<View>(it).showIf(latest == null) }
        latest?.let { show(CallerFace.of(this, it)) }
    }

    private fun show(face: CallerFace) {
        view<ImageView>(R.id.icon).setImageDrawable(face.icon)
        view<TextView>(R.id.question).text = getString(R.string.authorize_question, face.label)
        view<TextView>(R.id.packages).text = face.packages
        view<TextView>(R.id.certificate).text = face.certificate
        view<RadioGroup>(R.id.scope).check(R.id.scope_redacted)
        view<RadioGroup>(R.id.expiry).check(R.id.expiry_month)
    }

    private fun chosenScope(): String = when (view<RadioGroup>(R.id.scope).checkedRadioButtonId) {
        R.id.scope_full -> NotesTools.FULL
        else -> NotesTools.REDACTED
    }

    private fun chosenEnd(): Long = when (view<RadioGroup>(R.id.expiry).checkedRadioButtonId) {
        R.id.expiry_day -> now() + DateUtils.DAY_IN_MILLIS
        R.id.expiry_month -> now() + 30 * DateUtils.DAY_IN_MILLIS
        else -> Long.MAX_VALUE
    }

    private fun decide(decision: Decision) {
        shown?.let { callers.decide(it, decision) }
        setResult(if (decision is Decision.Allowed) RESULT_OK else RESULT_CANCELED)
        finish()
    }
}
