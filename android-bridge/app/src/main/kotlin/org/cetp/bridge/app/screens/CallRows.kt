package org.cetp.bridge.app.screens

import android.app.Activity
import android.text.format.DateUtils
import android.view.View
import android.view.ViewGroup
import android.widget.BaseAdapter
import android.widget.LinearLayout
import android.widget.TextView
import android.widget.Toast
import org.cetp.bridge.app.R
import org.cetp.bridge.journal.CallRecord

/** The rows of the journal. @param opened ids of the calls whose arguments are shown; changed by a touch. */
internal class CallRows(
    private val screen: Activity,
    private val parts: BridgeParts,
    private val opened: MutableSet<String>,
) : BaseAdapter() {
    /** Only the main thread touches these two. */
    private var calls: List<CallRecord> = emptyList()
    private var appNames: Map<String, String> = emptyMap()

    fun show(calls: List<CallRecord>, appNames: Map<String, String>) {
        this.calls = calls
        this.appNames = appNames
        notifyDataSetChanged()
    }

    override fun getCount(): Int = calls.size

    override fun getItem(position: Int): CallRecord = calls[position]

    override fun getItemId(position: Int): Long = position.toLong()

    override fun getView(position: Int, convertView: View?, parent: ViewGroup): View {
        val row = convertView ?: screen.layoutInflater.inflate(R.layout.call_row, parent, false)
        val call = calls[position]
        fill(row, call, callView(call, call.packageName?.let(appNames::get)))
        return row
    }

    private fun fill(row: View, call: CallRecord, view: CallView) {
        row.part<LinearLayout>(R.id.call_outcome).belowWhereNarrow()
        row.part<TextView>(R.id.call_tool).words(view.tool)
        row.part<TextView>(R.id.call_where).words(view.app)
        row.part<TextView>(R.id.call_badge).apply { words(view.badge) }.tone(view.tone)
        row.part<TextView>(R.id.call_time).words(whenAndHowLong(call, view))
        row.part<TextView>(R.id.call_detail).words(view.detail)
        val open = call.id in opened
        row.part<TextView>(R.id.call_arguments).words(view.arguments.takeIf { open })
        val head = row.part<View>(R.id.call_head)
        head.touchDoes(screen.getString(if (open) R.string.call_hide else R.string.call_show))
        head.setOnClickListener { toggle(call.id) }
        fillButtons(row, call, view)
    }

    private fun fillButtons(row: View, call: CallRecord, view: CallView) {
        val buttons = row.part<LinearLayout>(R.id.call_buttons)
        buttons.belowWhereNarrow()
        buttons.shownIf(view.authorise)
        row.part<View>(R.id.call_authorise).setOnClickListener { authorise(call) }
        row.part<View>(R.id.call_repeat).setOnClickListener { parts.bridge.repeat(call.id) }
    }

    private fun whenAndHowLong(call: CallRecord, view: CallView): Words {
        val flags = DateUtils.FORMAT_SHOW_TIME or
            if (DateUtils.isToday(call.startedAt)) 0 else DateUtils.FORMAT_SHOW_DATE or DateUtils.FORMAT_ABBREV_ALL
        val time = Words.Plain(DateUtils.formatDateTime(screen, call.startedAt, flags))
        return if (view.took == null) time else said(R.string.call_time, time, view.took)
    }

    private fun toggle(id: String) {
        if (!opened.remove(id)) opened.add(id)
        notifyDataSetChanged()
    }

    private fun authorise(call: CallRecord) {
        val intent = parts.authorizeScreen(call)
        if (intent == null) {
            Toast.makeText(screen, R.string.call_no_screen, Toast.LENGTH_LONG).show()
        } else {
            screen.startActivity(intent)
        }
    }
}
