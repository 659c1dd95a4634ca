package org.cetp.bridge.app.screens

import android.content.Intent
import android.graphics.Rect
import android.os.Bundle
import android.view.View
import android.view.WindowManager
import android.view.inputmethod.EditorInfo
import android.view.inputmethod.InputMethodManager
import android.widget.Button
import android.widget.EditText
import android.widget.ImageView
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import org.cetp.bridge.app.R
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.LinkResult
import org.cetp.bridge.gateway.PairingLink

/** Pairing by hand, or by a link that another app opened; a link does nothing before the owner agreed to its address. */
class PairingActivity : Screen(R.layout.pairing, R.string.pairing) {
    /** The link that is to be agreed to; null when there is none. Only the main thread touches it. */
    private var linkText: String? = null
    private val link: LinkResult? get() = linkText?.let(PairingLink::parse)

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        // The code lets anybody in who is quick: it does not belong on a picture of the screen.
        window.addFlags(WindowManager.LayoutParams.FLAG_SECURE)
        part<View>(R.id.pairing_link_title).heading()
        part<View>(R.id.pairing_pair).setOnClickListener { pairTyped() }
        part<View>(R.id.pairing_link_refuse).setOnClickListener { takeLink(null) }
        part<EditText>(R.id.pairing_code).setOnEditorActionListener { _, action, _ ->
            (action == EditorInfo.IME_ACTION_DONE).also { if (it) pairTyped() }
        }
        if (savedInstanceState == null) parts.pairing.seen()
        takeLink(if (savedInstanceState == null) intent.dataString else savedInstanceState.getString(LINK))
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        parts.pairing.seen()
        takeLink(intent.dataString)
    }

    /** The system keeps the intent that opened the screen first; a link that was refused or replaced is to stay so. */
    override fun onSaveInstanceState(outState: Bundle) {
        super.onSaveInstanceState(outState)
        outState.putString(LINK, linkText)
    }

    override fun whileSeen(scope: CoroutineScope) = with(scope) {
        show(parts.target, ::renderKnown)
        show(parts.pairing.state, ::renderState)
    }

    private fun takeLink(text: String?) {
        linkText = text
        renderLink()
    }

    private fun renderKnown(target: GatewayTarget?) {
        part<View>(R.id.pairing_known).shownIf(target != null)
        if (target == null) return
        part<TextView>(R.id.pairing_known_address).words(plain(target.url))
        part<TextView>(R.id.pairing_known_pin).words(if (target.pin == null) null else said(R.string.pairing_pinned))
    }

    private fun renderLink() {
        val link = link
        part<View>(R.id.pairing_link).shownIf(link != null)
        part<View>(R.id.pairing_hand).shownIf(link == null)
        val pair = part<Button>(R.id.pairing_link_pair)
        pair.shownIf(link is LinkResult.Good)
        when (link) {
            null -> Unit
            is LinkResult.Good -> {
                renderAsking(link.link)
                pair.setOnClickListener { start(PairingRequest(link.link.address, link.link.code, link.link.pin)) }
            }
            is LinkResult.Bad -> renderBadLink(link.message)
        }
    }

    private fun renderAsking(link: PairingLink) {
        part<TextView>(R.id.pairing_link_title).setText(R.string.pairing_link_asks)
        part<TextView>(R.id.pairing_link_address).words(plain(link.address.url))
        val guard = when {
            link.pin != null -> R.string.pairing_link_pinned
            link.address.secure -> R.string.pairing_link_encrypted
            else -> R.string.pairing_link_cleartext
        }
        part<TextView>(R.id.pairing_link_detail).words(lines(said(R.string.pairing_link_meaning), said(guard)))
    }

    private fun renderBadLink(message: String) {
        part<TextView>(R.id.pairing_link_title).setText(R.string.pairing_link_bad)
        part<TextView>(R.id.pairing_link_address).words(null)
        part<TextView>(R.id.pairing_link_detail).words(lines(plain(message), said(R.string.pairing_link_bad_next)))
    }

    private fun pairTyped() {
        val address = part<EditText>(R.id.pairing_address)
        val code = part<EditText>(R.id.pairing_code)
        val typed = typedPairing(address.text.toString(), code.text.toString())
        val bad = typed as? TypedPairing.Bad
        part<TextView>(R.id.pairing_address_problem).words(bad?.address)
        part<TextView>(R.id.pairing_code_problem).words(bad?.code)
        when (typed) {
            is TypedPairing.Good -> start(typed.request)
            is TypedPairing.Bad -> (if (typed.address != null) address else code).requestFocus()
        }
    }

    private fun start(request: PairingRequest) {
        getSystemService(InputMethodManager::class.java)?.hideSoftInputFromWindow(part<View>(R.id.page).windowToken, 0)
        parts.pairing.start(request)
    }

    private fun renderState(state: PairingState) {
        val view = pairingView(state)
        val result = part<View>(R.id.pairing_result)
        result.shownIf(view != null)
        part<View>(R.id.pairing_pair).isEnabled = state !is PairingState.Running
        part<View>(R.id.pairing_link_pair).isEnabled = state !is PairingState.Running
        if (view != null) {
            part<ImageView>(R.id.pairing_result_icon).tone(view.tone)
            part<TextView>(R.id.pairing_result_title).words(view.title)
            part<TextView>(R.id.pairing_result_detail).words(view.detail)
            result.post { result.requestRectangleOnScreen(Rect(0, 0, result.width, result.height)) }
        }
        if (state is PairingState.Done) {
            part<EditText>(R.id.pairing_code).text.clear()
            takeLink(null)
        }
    }

    private companion object {
        const val LINK = "link"
    }
}
