package com.example.notes.screens

import android.content.Context
import android.text.format.DateUtils
import android.view.LayoutInflater
import android.view.View
import android.view.ViewGroup
import android.widget.BaseAdapter
import android.widget.Button
import android.widget.ImageView
import android.widget.TextView
import com.example.notes.R
import com.example.notes.cetp.Caller
import com.example.notes.cetp.Decision
import com.example.notes.tools.NotesTools

/** The rows of the list of apps. [change] is called with the row whose button was tapped. */
internal class CallerRows(
    private val known: List<Pair<Caller, Decision>>,
    private val now: Long,
    private val change: (Caller, Decision) -> Unit,
) : BaseAdapter() {
    override fun getCount(): Int = known.size
    override fun getItem(position: Int): Caller = known[position].first
    override fun getItemId(position: Int): Long = position.toLong()

    override fun getView(position: Int, recycled: View?, parent: ViewGroup): View {
        val row = recycled ?: LayoutInflater.from(parent.context).inflate(R.layout.caller_row, parent, false)
        val (caller, decision) = known[position]
        val face = CallerFace.of(parent.context, caller)
        row.view<ImageView>(R.id.icon).setImageDrawable(face.icon)
        row.view<TextView>(R.id.label).text = face.label
        row.view<TextView>(R.id.packages).text = face.packages
        row.view<TextView>(R.id.state).text = state(parent.context, decision)
        row.view<Button>(R.id.action).apply {
            val (short, spoken) = action(decision)
            setText(short)
            contentDescription = context.getString(spoken, face.label)
            setOnClickListener { change(caller, decision) }
        }
        return row
    }

    private fun state(context: Context, decision: Decision): String = when (decision) {
        is Decision.Asked -> context.getString(R.string.state_asking)
        Decision.Refused -> context.getString(R.string.state_refused)
        is Decision.Allowed -> allowed(context, decision)
    }

    private fun allowed(context: Context, decision: Decision.Allowed): String {
        val full = decision.scope == NotesTools.FULL
        val scope = context.getString(if (full) R.string.scope_full else R.string.scope_redacted)
        if (decision.until == Long.MAX_VALUE) return context.getString(R.string.state_allowed, scope)
        if (decision.until <= now) return context.getString(R.string.state_expired)
        val form = DateUtils.FORMAT_SHOW_DATE or DateUtils.FORMAT_SHOW_TIME
        val end = DateUtils.formatDateTime(context, decision.until, form)
        return context.getString(R.string.state_allowed_until, scope, end)
    }

    /** What the button says, and what a screen reader says, who needs the app's name with it. */
    private fun action(decision: Decision): Pair<Int, Int> = when (decision) {
        is Decision.Asked -> R.string.decide to R.string.decide_app
        Decision.Refused -> R.string.forget to R.string.forget_app
        is Decision.Allowed -> R.string.revoke to R.string.revoke_app
    }
}
