package org.cetp.bridge.protocol

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import org.cetp.bridge.protocol.GatewayFrame.Unreadable
import kotlin.time.Duration.Companion.milliseconds

/**
 * Reads frames of a gateway. Total: whatever comes is a value.
 *
 * A field that a bridge does not need is not looked at, and an unusable verdict or limit is passed over, so that an
 * older or newer gateway is not lost over it.
 */
public object GatewayFrameReader {
    /** Objects and lists inside each other (spec 13.3, `INVALID_JSON`). */
    private const val MAX_DEPTH = 128

    /** The frame in one text message. */
    public fun read(text: String): GatewayFrame {
        val frame = parse(text) ?: return Unreadable("it is no JSON, or nested too deeply")
        if (frame !is JsonObject) return Unreadable("it is no object")
        val type = frame.text("type") ?: return Unreadable("it has no type")
        return when (type) {
            "session_start" -> frame.id("session_id")?.let(GatewayFrame::SessionStart) ?: lacking(type, "session_id")
            "connected" -> GatewayFrame.Connected(capabilities(frame["capabilities"]), limits(frame["limits"]))
            "tools_registered" -> toolsRegistered(frame)
            "registered_tools" -> registeredTools(frame)
            "tool_call_request" -> toolCallRequest(frame)
            "tool_call_cancel" -> frame.id("id")?.let(GatewayFrame::ToolCallCancel) ?: lacking(type, "id")
            "result_acknowledged" -> frame.id("id")?.let(GatewayFrame::ResultAcknowledged) ?: lacking(type, "id")
            "tools_changed" -> whole(frame["revision"])?.let(GatewayFrame::ToolsChanged) ?: lacking(type, "revision")
            "error" -> error(frame)
            else -> PersonFrameReader.read(type, frame) ?: GatewayFrame.Ignored(type)
        }
    }

    /** Null when it is no JSON or too deep: the tree's own functions call themselves for each level. */
    private fun parse(text: String): JsonElement? =
        JsonText.shallow(text, MAX_DEPTH)?.takeIf { it === text }?.let(Json::parseToJsonElement)

    private fun toolsRegistered(frame: JsonObject): GatewayFrame {
        val count = count(frame["count"]) ?: return lacking("tools_registered", "count")
        val registered = count(frame["registered"]) ?: return lacking("tools_registered", "registered")
        val verdicts = (frame["tools"] as? JsonArray).orEmpty().mapNotNull(::verdict)
        return GatewayFrame.ToolsRegistered(count, registered, verdicts)
    }

    private fun verdict(entry: JsonElement): Verdict? {
        val fields = entry as? JsonObject ?: return null
        val name = fields.text("name") ?: return null
        val state = Verdict.State.entries.find { it.name.lowercase() == fields.text("state") } ?: return null
        return Verdict(name, state, fields.text("reason"))
    }

    private fun registeredTools(frame: JsonObject): GatewayFrame {
        val entries = frame["tools"] as? JsonArray ?: return lacking("registered_tools", "tools")
        val names = entries.map { (it as? JsonObject)?.text("name") ?: return lacking("registered_tools", "name") }
        return GatewayFrame.RegisteredTools(names)
    }

    private fun toolCallRequest(frame: JsonObject): GatewayFrame {
        val id = frame.id("id") ?: return lacking("tool_call_request", "id")
        val name = frame.text("name") ?: return Unreadable("tool_call_request has no usable name", id)
        val args = frame["args"] ?: JsonObject(emptyMap())
        if (args !is JsonObject) return Unreadable("tool_call_request has args that are no object", id)
        val deadline = frame["deadline_ms"]?.let {
            count(it) ?: return Unreadable("tool_call_request has no usable deadline_ms", id)
        }
        return GatewayFrame.ToolCallRequest(id, name, args.toString(), deadline?.milliseconds, frame.id("call_id"))
    }

    private fun error(frame: JsonObject): GatewayFrame {
        val message = frame.text("message") ?: return lacking("error", "message")
        return GatewayFrame.Error(frame.text("code"), message)
    }

    private fun capabilities(element: JsonElement?): Set<String> =
        (element as? JsonArray).orEmpty().mapNotNullTo(LinkedHashSet(), ::text)

    private fun limits(element: JsonElement?): GatewayLimits {
        val fields = element as? JsonObject ?: return GatewayLimits()
        val trusted = GatewayLimits()
        fun limit(name: String) = count(fields[name])?.takeIf { it > 0 }
        return GatewayLimits(
            messageBytes = limit("message_bytes")?.coerceAtLeast(GatewayLimits.SMALLEST_MESSAGE)
                ?: trusted.messageBytes,
            toolsPerDevice = limit("tools_per_device") ?: trusted.toolsPerDevice,
            schemaBytes = limit("schema_bytes") ?: trusted.schemaBytes,
        )
    }
}
