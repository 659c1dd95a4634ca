package org.cetp.bridge.app.screens

import android.app.Activity
import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.text.format.DateUtils
import android.view.View
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.combine
import org.cetp.bridge.app.R
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.protocol.RequestKey

/** What the screens of one request share: nobody else sees or touches them, and they say how the request ended. */
abstract class RequestScreen(
    layout: Int,
    titleText: Int,
    private val kind: RequestKey.Kind,
) : Screen(layout, titleText) {
    /** The request that is shown. */
    internal val requestId: String by lazy { intent.data?.schemeSpecificPart.orEmpty() }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        keepOffPictures()
    }

    override fun whileSeen(scope: CoroutineScope) = with(scope) {
        show(parts.bridge.requests.combine(parts.bridge.status, ::Pair)) { (requests, status) ->
            val key = RequestKey(kind, requestId)
            val open = requests.find(key)
            part<TextView>(R.id.request_state).words(stateOf(open, requests.ended.find { it.key == key }, status))
            part<View>(R.id.request_answers).shownIf(open != null && open.answer == null)
            if (open != null) render(open)
        }
    }

    /** Show a request that is open; one that has ended stays as it was. */
    internal abstract fun render(open: OpenRequest)

    /** A button that answers: it does nothing while another app draws over it, and then says so. */
    internal fun answers(id: Int, answer: () -> Unit) {
        val button = part<View>(id)
        button.onlyUncovered { part<View>(R.id.request_covered).shownIf(true) }
        button.setOnClickListener { answer() }
    }

    /** Until when an answer counts, in the words of a resource; null when nobody knows. */
    internal fun untilWords(open: OpenRequest, text: Int): Words? =
        open.until?.let { said(text, plain(DateUtils.formatDateTime(this, it, DateUtils.FORMAT_SHOW_TIME))) }

    internal companion object {
        private const val SCHEME = "cetp-request"

        /** Opens the screen of a request. Each has an intent of its own, which nobody can add to. */
        fun opening(context: Context, key: RequestKey): Intent =
            Intent(context, screenOf(key.kind)).setData(Uri.fromParts(SCHEME, key.id, null))

        private fun screenOf(kind: RequestKey.Kind): Class<out Activity> = when (kind) {
            RequestKey.Kind.APPROVAL -> ApprovalActivity::class.java
            RequestKey.Kind.QUESTION -> QuestionActivity::class.java
        }
    }
}
