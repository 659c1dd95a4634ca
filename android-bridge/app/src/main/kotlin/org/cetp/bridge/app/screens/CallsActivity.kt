package org.cetp.bridge.app.screens

import android.os.Bundle
import android.view.View
import android.widget.ListView
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.combine
import org.cetp.bridge.app.R

/** The last calls, newest first. */
class CallsActivity : Screen(R.layout.calls, R.string.calls) {
    /** Ids of the calls whose arguments the owner asked for. Only the main thread touches it. */
    private val opened = mutableSetOf<String>()
    private val rows by lazy { CallRows(this, parts, opened) }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        opened += savedInstanceState?.getStringArrayList(OPENED).orEmpty()
        val list = part<ListView>(R.id.calls_list)
        list.adapter = rows
        list.emptyView = part<View>(R.id.calls_none)
    }

    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putStringArrayList(OPENED, ArrayList(opened))
    }

    override fun whileSeen(scope: CoroutineScope) = with(scope) {
        show(parts.bridge.calls.combine(parts.bridge.providers, ::Pair)) { (calls, providers) ->
            opened.retainAll(calls.mapTo(mutableSetOf()) { it.id })
            rows.show(calls, providers.associate { it.packageName to it.appName })
        }
    }

    private companion object {
        const val OPENED = "opened"
    }
}
