package org.cetp.bridge.app

import android.content.Context
import kotlinx.coroutines.CoroutineScope
import org.cetp.bridge.Bridge
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.phone.PhoneFactsReader
import org.cetp.bridge.app.prompts.AuthorizePrompt
import org.cetp.bridge.app.prompts.RequestPrompt
import org.cetp.bridge.app.service.Connection
import org.cetp.bridge.app.settings.SettingsStore

/** The objects that live as long as the process, and who builds them: [BridgeApp], or a test's application. */
interface Graph {
    /** The only scope that outlives a screen or the service. */
    val scope: CoroutineScope
    val bridge: Bridge
    val settings: SettingsStore

    /** The owner's switch; screens use it rather than `bridge.connect`, so that the service runs beside the socket. */
    val connection: Connection
    val notices: Notices
    val authorizePrompt: AuthorizePrompt
    val requestPrompt: RequestPrompt
    val phoneFacts: PhoneFactsReader
}

/** The graph of this process. */
val Context.graph: Graph get() = applicationContext as Graph
