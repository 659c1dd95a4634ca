package org.cetp.bridge

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.fakes.Conversation
import org.cetp.bridge.fakes.ConversationPlayer
import org.cetp.bridge.fakes.LiveBridge
import org.cetp.bridge.session.SessionOptions
import org.junit.Assume.assumeTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import org.junit.runners.Parameterized.Parameters

/** The conversations that are for bridges, with the gateway's lines played to this one (spec 14.3). */
@RunWith(Parameterized::class)
class ConversationsTest(private val conversation: Conversation) {
    @Test
    fun `The bridge says its lines of a conversation`() {
        assumeTrue("it is not for bridges", conversation.isForBridges)
        assumeTrue("it needs what no bridge has", SessionOptions.ALL_CAPABILITIES.containsAll(conversation.requires))
        val connect = conversation.connect
        val session = SessionOptions(
            capabilities = (connect["capabilities"] as? JsonArray).orEmpty().map(::text),
            sessionId = connect["session_id"]?.let(::text),
        )
        LiveBridge(
            apps = conversation.apps().toTypedArray(),
            options = BridgeOptions(session = session),
            deviceId = connect["device_id"]?.let(::text) ?: "phone-1",
            deviceName = connect["device_name"]?.let(::text) ?: "pixel",
        ).use { ConversationPlayer(it, conversation).play() }
    }

    private fun text(element: JsonElement) = (element as JsonPrimitive).content

    companion object {
        @JvmStatic
        @Parameters(name = "{0}")
        fun conversations(): List<Conversation> = Conversation.all()
    }
}
