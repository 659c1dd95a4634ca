package org.cetp.bridge

import kotlinx.coroutines.flow.StateFlow
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.tools.ProviderState

/** What the service and the screens see of the bridge. Its functions only write a wish and return at once. */
public interface Bridge {
    /** How it stands with the gateway. */
    public val status: StateFlow<BridgeStatus>

    /** Every provider that was found, usable or not, in the order of their names. */
    public val providers: StateFlow<List<ProviderState>>

    /** The last calls, newest first; at most 200. */
    public val calls: StateFlow<List<CallRecord>>

    /** What the gateway asks the owner of this phone (spec 13.4). */
    public val requests: StateFlow<PersonRequests>

    /** Wish to be connected there; a connection elsewhere ends. */
    public fun connect(target: GatewayTarget)

    /** Wish to be away. */
    public fun disconnect()

    /** Whether the owner wants to be asked on this phone; they do until this says otherwise. */
    public fun decideHere(wanted: Boolean)

    /**
     * The owner, who was shown the whole call, has decided. Counts once for a request; nothing happens when the request is
     * not open or does not take it.
     */
    public fun decide(requestId: String, decision: Decision)

    /** The owner has answered a question, see [decide]. */
    public fun reply(requestId: String, reply: Reply)

    /** The network is back or another one: what waits for its next try tries now. */
    public fun networkReturned()

    /** Look at all apps again. */
    public fun rescan()

    /** The owner's decision on an app; remembered together with the certificate that signed it. */
    public fun allow(packageName: String, allowed: Boolean)

    /** The owner's decision on a tool that says it writes. */
    public fun allowTool(packageName: String, tool: String, allowed: Boolean)

    /** Run a call of the journal again, for the owner's eyes: its new record appears in [calls]. */
    public fun repeat(callId: String)
}
