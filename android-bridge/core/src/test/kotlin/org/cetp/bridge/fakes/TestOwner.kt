package org.cetp.bridge.fakes

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.cetp.bridge.protocol.RequestKey

/** Whoever holds the phone: says what a frame says, once it has been asked. */
class TestOwner(private val phone: LiveBridge) {
    fun decides(frame: JsonObject) {
        val id = asked(RequestKey.Kind.APPROVAL, frame, "id")
        phone.bridge.decide(id, checkNotNull(DeviceFrames.decision(frame)))
    }

    fun replies(frame: JsonObject) {
        val id = asked(RequestKey.Kind.QUESTION, frame, "request_id")
        phone.bridge.reply(id, checkNotNull(DeviceFrames.reply(frame)))
    }

    private fun asked(kind: RequestKey.Kind, frame: JsonObject, field: String): String {
        val id = frame.getValue(field).jsonPrimitive.content
        phone.await(phone.bridge.requests) { it.find(RequestKey(kind, id)) != null }
        return id
    }
}
