package org.cetp.bridge.app.screens

import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.ImageView
import android.widget.Switch
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import org.cetp.bridge.app.R
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.Question

/** What waits for the owner, and whether they want to be asked on this phone. */
class RequestsActivity : Screen(R.layout.requests, R.string.requests) {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        keepOffPictures()
    }

    override fun whileSeen(scope: CoroutineScope) = with(scope) {
        show(parts.isDeciding) { isDeciding ->
            part<Switch>(R.id.requests_here).bind(isDeciding, parts::decideHere)
        }
        show(parts.bridge.requests, ::render)
    }

    private fun render(requests: PersonRequests) {
        val waiting = requests.waiting
        part<View>(R.id.requests_none).shownIf(waiting.isEmpty())
        val list = part<ViewGroup>(R.id.requests_list)
        list.shownIf(waiting.isNotEmpty())
        list.rows(waiting, R.layout.link_row, ::fill)
    }

    private fun fill(row: View, open: OpenRequest) {
        val (title, detail) = when (val request = open.request) {
            is ApprovalRequest -> plain(request.tool) to said(effectOf(request.effect).first)
            is Question -> said(R.string.question) to Words.Plain(shown(request.text, LONGEST_LINE))
        }
        row.part<ImageView>(R.id.link_icon).setImageResource(R.drawable.ic_requests)
        row.part<TextView>(R.id.link_title).words(title)
        row.part<TextView>(R.id.link_detail).words(detail)
        row.setOnClickListener { startActivity(RequestScreen.opening(this, open.key)) }
    }

    private companion object {
        const val LONGEST_LINE = 120
    }
}

/** Those that the owner has not answered yet. */
internal val PersonRequests.waiting: List<OpenRequest> get() = open.filter { it.answer == null }
