package org.cetp.bridge.fakes

import org.cetp.bridge.person.EndedRequest
import org.cetp.bridge.person.OpenRequest
import kotlin.time.Duration.Companion.milliseconds

/** What is due at once. */
val NOW = 1.milliseconds

/** The gateway asks whether a call may run. */
fun VirtualBridge.asks(
    id: String,
    digest: String = "d",
    scopes: String = """"once","session","always"""",
    args: String = """{"text":"milk"}""",
    milliseconds: Long = 120_000,
) {
    network.last.say(
        """{"type":"approval_request","id":"$id","digest":"$digest","tool":"notes__add","args":$args,""" +
            """"effect":"writes","scopes":[$scopes],"expires_in_ms":$milliseconds,"device":"pixel","caller":"agent"}""",
    )
    pass(NOW)
}

/** The gateway asks what a model wants to know. */
fun VirtualBridge.asksWhich(id: String, others: Boolean) {
    network.last.say(
        """{"type":"ask_user_request","request_id":"$id","question":"Which?","other_answers":$others,""" +
            """"options":[{"id":"1","label":"blue"},{"id":"2","label":"green"}]}""",
    )
    pass(NOW)
}

fun VirtualBridge.open(): List<OpenRequest> = bridge.requests.value.open

fun VirtualBridge.ended(): List<EndedRequest> = bridge.requests.value.ended

/** What was answered on the newest socket. */
fun VirtualBridge.responses(): List<String> = sent.filter { "_response" in it }
