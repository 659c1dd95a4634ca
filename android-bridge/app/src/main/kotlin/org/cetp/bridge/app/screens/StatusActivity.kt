package org.cetp.bridge.app.screens

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.os.SystemClock
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.ImageView
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.combine
import kotlinx.coroutines.flow.transformLatest
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.person.PersonRequests
import kotlin.time.Duration.Companion.seconds

/** The first screen: how it stands with the gateway, connect and disconnect, and the way to the others. */
class StatusActivity : Screen(R.layout.status, R.string.app_name) {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        part<View>(R.id.status_headline).heading()
        showLinks(PersonRequests())
    }

    @OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
    override fun whileSeen(scope: CoroutineScope) = with(scope) {
        show(
            parts.status.combine(parts.target, ::Pair).transformLatest { (status, target) ->
                do {
                    emit(status to target)
                    delay(1.seconds)
                } while (status.status is BridgeStatus.Waiting)
            },
        ) { (status, target) -> render(status, target) }
        show(parts.bridge.requests, ::showLinks)
        show(parts.refusal) { refusal -> part<TextView>(R.id.status_notice).words(refusal?.let { said(it.text) }) }
    }

    private fun render(status: TimedStatus, target: GatewayTarget?) {
        val view = statusView(status.status, target != null, status.left(SystemClock.elapsedRealtime()))
        part<ImageView>(R.id.status_icon).tone(view.tone)
        part<TextView>(R.id.status_headline).words(view.headline)
        part<TextView>(R.id.status_gateway).words(target?.let { plain(it.url) })
        part<TextView>(R.id.status_detail).words(view.detail)
        bind(part(R.id.status_main), view.main)
        bind(part(R.id.status_other), view.other)
    }

    private fun bind(button: Button, action: StatusAction?) {
        button.words(action?.let { said(it.label) })
        button.setOnClickListener { if (action != null) perform(action) }
    }

    private fun perform(action: StatusAction) = when (action) {
        StatusAction.CONNECT -> parts.connect()
        StatusAction.DISCONNECT -> parts.disconnect()
        StatusAction.TRY_NOW -> parts.bridge.networkReturned()
        StatusAction.PAIR, StatusAction.PAIR_AGAIN -> startActivity(Intent(this, PairingActivity::class.java))
    }

    private fun showLinks(requests: PersonRequests) {
        val waiting = requests.waiting.size
        part<ViewGroup>(R.id.status_links).rows(links, R.layout.link_row) { row, link ->
            val isAsked = waiting > 0 && link.screen == RequestsActivity::class.java
            fillLink(row, link, if (isAsked) Words.Counted(R.plurals.requests_waiting, waiting) else said(link.detail))
        }
    }

    private fun fillLink(row: View, link: Link, detail: Words) {
        row.part<ImageView>(R.id.link_icon).setImageResource(link.icon)
        row.part<TextView>(R.id.link_title).setText(link.title)
        row.part<TextView>(R.id.link_detail).words(detail)
        row.setOnClickListener { startActivity(Intent(this, link.screen)) }
    }

    private class Link(val screen: Class<out Activity>, val icon: Int, val title: Int, val detail: Int)

    private companion object {
        val links = listOf(
            Link(ProvidersActivity::class.java, R.drawable.ic_apps, R.string.providers, R.string.providers_detail),
            Link(RequestsActivity::class.java, R.drawable.ic_requests, R.string.requests, R.string.requests_detail),
            Link(CallsActivity::class.java, R.drawable.ic_calls, R.string.calls, R.string.calls_detail),
            Link(PairingActivity::class.java, R.drawable.ic_link, R.string.pairing, R.string.pairing_detail),
            Link(DoctorActivity::class.java, R.drawable.ic_doctor, R.string.doctor, R.string.doctor_detail),
        )
    }
}
