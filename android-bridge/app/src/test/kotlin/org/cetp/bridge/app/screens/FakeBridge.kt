package org.cetp.bridge.app.screens

import kotlinx.coroutines.flow.MutableStateFlow
import org.cetp.bridge.Bridge
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.tools.ProviderState

/** A bridge in whatever state a test puts it, that writes down what the screens wish. */
class FakeBridge : Bridge {
    override val status = MutableStateFlow<BridgeStatus>(BridgeStatus.Off)
    override val providers = MutableStateFlow<List<ProviderState>>(emptyList())
    override val calls = MutableStateFlow<List<CallRecord>>(emptyList())
    override val requests = MutableStateFlow(PersonRequests())

    /** What was wished, in order. */
    val wishes = mutableListOf<String>()

    override fun connect(target: GatewayTarget) = wish("connect")

    override fun disconnect() = wish("disconnect")

    override fun decideHere(wanted: Boolean) = wish("decideHere $wanted")

    override fun decide(requestId: String, decision: Decision) = wish("decide $requestId $decision")

    override fun reply(requestId: String, reply: Reply) = when (reply) {
        is Reply.Said -> wish("reply $requestId ${reply.text}")
        Reply.Declined -> wish("decline $requestId")
    }

    override fun networkReturned() = wish("networkReturned")

    override fun rescan() = wish("rescan")

    override fun allow(packageName: String, allowed: Boolean) = wish("allow $packageName $allowed")

    override fun allowTool(packageName: String, tool: String, allowed: Boolean) =
        wish("allowTool $packageName $tool $allowed")

    override fun repeat(callId: String) = wish("repeat $callId")

    private fun wish(what: String) {
        wishes += what
    }
}
