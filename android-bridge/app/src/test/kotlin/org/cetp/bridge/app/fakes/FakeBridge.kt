package org.cetp.bridge.app.fakes

import kotlinx.coroutines.flow.MutableStateFlow
import org.cetp.bridge.Bridge
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.tools.ProviderState
import java.util.concurrent.CopyOnWriteArrayList

/** A bridge whose state a test sets, and which writes down what it was asked to do. */
class FakeBridge : Bridge {
    override val status = MutableStateFlow<BridgeStatus>(BridgeStatus.Off)
    override val providers = MutableStateFlow<List<ProviderState>>(emptyList())
    override val calls = MutableStateFlow<List<CallRecord>>(emptyList())
    override val requests = MutableStateFlow(PersonRequests())

    /** Everything it was asked to do, in order and in words. */
    val wishes = CopyOnWriteArrayList<String>()

    override fun connect(target: GatewayTarget) {
        wishes += "connect ${target.url}"
        status.value = BridgeStatus.Connecting(attempt = 1)
    }

    override fun disconnect() {
        wishes += "disconnect"
        status.value = BridgeStatus.Off
    }

    override fun decideHere(wanted: Boolean) {
        wishes += "decide here $wanted"
    }

    override fun decide(requestId: String, decision: Decision) {
        wishes += "decide $requestId $decision"
    }

    override fun reply(requestId: String, reply: Reply) {
        wishes += "reply $requestId $reply"
    }

    override fun networkReturned() {
        wishes += "network returned"
    }

    override fun rescan() {
        wishes += "rescan"
    }

    override fun allow(packageName: String, allowed: Boolean) {
        wishes += "allow $packageName $allowed"
    }

    override fun allowTool(packageName: String, tool: String, allowed: Boolean) {
        wishes += "allow $packageName $tool $allowed"
    }

    override fun repeat(callId: String) {
        wishes += "repeat $callId"
    }
}
