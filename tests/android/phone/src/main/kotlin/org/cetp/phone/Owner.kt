package org.cetp.phone

import android.app.Notification
import android.content.Intent
import android.net.Uri
import android.widget.Button
import kotlinx.coroutines.flow.first
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.screens.PairingActivity
import org.cetp.bridge.app.screens.PairingState
import org.cetp.bridge.tools.Consent
import org.cetp.bridge.tools.ProviderState
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf

/** The phone's owner: opens, presses and looks. Waits without a bound; whoever asks sets one. */
class Owner(private val bridge: PhoneApp) {
    /** Open a pairing link and agree to it. */
    suspend fun pair(link: String): JsonElement {
        onMain {
            val opening = Intent(Intent.ACTION_VIEW, Uri.parse(link))
            val screen = Robolectric.buildActivity(PairingActivity::class.java, opening)
            screen.setup().get().findViewById<Button>(R.id.pairing_link_pair).performClick()
            screen.pause().stop().destroy()
        }
        val ended = bridge.pairing.state.first { it !is PairingState.Running && it !is PairingState.Idle }
        check(ended is PairingState.Done) { (ended as? PairingState.Failed)?.problem?.message ?: "$ended" }
        return JsonPrimitive(ended.target.deviceId)
    }

    suspend fun connect() = onMain { bridge.connect() }

    suspend fun disconnect() = onMain { bridge.disconnect() }

    /** Switch an app on, as soon as the bridge has found it. */
    suspend fun allow(packageName: String) {
        provider(packageName) { true }
        bridge.bridge.allow(packageName, true)
        provider(packageName) { it.consent == Consent.ALLOWED }
    }

    /** Wait until the bridge stands so with its gateway; how in full. */
    suspend fun status(kind: String): JsonElement {
        val status = bridge.bridge.status.first { it.javaClass.simpleName == kind }
        return jsonOf("status" to kind, "reason" to (status as? BridgeStatus.Stopped)?.reason)
    }

    /** Wait for the notification that an app wants to be authorised; the screen that it opens and what it says. */
    suspend fun asked(packageName: String): JsonElement {
        val notice = notice(Notice.Authorize(packageName))
        val opens = shadowOf(notice.contentIntent).savedIntent
        return jsonOf(
            "title" to notice.said(Notification.EXTRA_TITLE),
            "opens" to opens.component?.flattenToShortString(),
            "action" to opens.action,
        )
    }

    /** Press the button of that notification, which repeats the call; how the call ended then. */
    suspend fun repeat(packageName: String): JsonElement {
        val before = bridge.bridge.calls.value.size
        notice(Notice.Authorize(packageName)).actions.single().actionIntent.send()
        val calls = bridge.bridge.calls.first { it.size > before && it.first().took != null }
        return JsonPrimitive(calls.first().outcome.javaClass.simpleName)
    }

    /** Wait for the notification that something keeps the bridge away; what it says. */
    suspend fun problem(): JsonElement = JsonPrimitive(notice(Notice.Problem).said(Notification.EXTRA_TEXT))

    /** Every provider that the bridge has found. */
    fun providers(): JsonElement = JsonArray(
        bridge.bridge.providers.value.map { found ->
            jsonOf(
                "package" to found.packageName,
                "app" to found.appName,
                "version" to found.appVersion,
                "consent" to found.consent,
                "problem" to found.problem?.detail,
                "tools" to JsonArray(found.tools.mapNotNull { it.wireName }.map(::JsonPrimitive)),
            )
        },
    )

    private suspend fun notice(notice: Notice): Notification {
        val place = notice.tag to notice.number
        return HeardNotifications.shown.first { place in it }.getValue(place)
    }

    private fun Notification.said(key: String): String = extras.getCharSequence(key).toString()

    private suspend fun provider(packageName: String, condition: (ProviderState) -> Boolean) {
        bridge.bridge.providers.first { all -> all.any { it.packageName == packageName && condition(it) } }
    }
}
