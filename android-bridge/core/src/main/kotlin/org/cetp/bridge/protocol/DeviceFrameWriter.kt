package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject

/** Writes frames of a bridge as the text of one message each. */
public object DeviceFrameWriter {
    /** What a tool without parameters is registered with (spec 7.3). */
    private val NO_PARAMETERS = buildJsonObject {
        put("type", "object")
        putJsonObject("properties") {}
    }
    private val TYPE_ALONE = buildJsonObject { put("type", "object") }

    /** The frame's text; nothing in it is null. */
    public fun write(frame: DeviceFrame): String = when (frame) {
        is DeviceFrame.Connect -> message("connect") { connect(frame) }
        is DeviceFrame.RegisterTools -> message("register_tools") { registerTools(frame) }
        DeviceFrame.GetRegisteredTools -> message("get_registered_tools") {}
        is DeviceFrame.ToolResult -> message("tool_result") { toolResult(frame) }
        is DeviceFrame.ToolError -> message("tool_error") { toolError(frame) }
        is DeviceFrame.ApprovalResponse -> message("approval_response") { approvalResponse(frame) }
        is DeviceFrame.AskUserResponse -> message("ask_user_response") { askUserResponse(frame) }
    }

    /** UTF-8 bytes of one tool's entry in a registration. */
    public fun entryBytes(tool: OfferedTool): Int = utf8Bytes(entry(tool).toString())

    /** UTF-8 bytes of a tool's parameters as they are registered. */
    public fun schemaBytes(tool: OfferedTool): Int = utf8Bytes(parameters(tool.spec).toString())

    /** UTF-8 bytes of a text as it is sent, without encoding it; a lone surrogate is sent as `?`. */
    public fun utf8Bytes(text: String): Int {
        var bytes = 0
        var at = 0
        while (at < text.length) {
            val char = text[at++]
            bytes += when {
                char < '\u0080' -> 1
                char < '\u0800' -> 2
                char.isHighSurrogate() && at < text.length && text[at].isLowSurrogate() -> 4.also { at++ }
                char.isSurrogate() -> 1
                else -> 3
            }
        }
        return bytes
    }

    private fun message(type: String, fields: JsonObjectBuilder.() -> Unit): String = buildJsonObject {
        put("type", type)
        fields()
    }.toString()

    private fun JsonObjectBuilder.connect(frame: DeviceFrame.Connect) {
        put("v", CetpContract.Gateway.FRAME_VERSION)
        put("session_id", frame.sessionId)
        put("device_id", frame.deviceId)
        put("device_name", frame.deviceName)
        putJsonArray("capabilities") { frame.capabilities.forEach { add(it) } }
    }

    private fun JsonObjectBuilder.registerTools(frame: DeviceFrame.RegisterTools) {
        if (frame.replace) put("replace", true)
        put("tools", JsonArray(frame.tools.map(::entry)))
    }

    private fun entry(tool: OfferedTool): JsonObject = buildJsonObject {
        put("name", tool.name)
        put("description", tool.spec.description)
        put("parameters", parameters(tool.spec))
        putJsonObject("provider") {
            put("package", tool.app.packageName)
            put("label", tool.app.label)
            put("version", tool.app.version)
        }
        put("effect", "reads")
    }

    private fun parameters(spec: ToolSpec): JsonObject =
        if (spec.parameters.isEmpty() || spec.parameters == TYPE_ALONE) NO_PARAMETERS else spec.parameters

    private fun JsonObjectBuilder.toolResult(frame: DeviceFrame.ToolResult) {
        put("id", frame.id)
        put("output", JsonPrimitive(frame.output))
        put("success", true)
    }

    private fun JsonObjectBuilder.toolError(frame: DeviceFrame.ToolError) {
        put("id", frame.id)
        put("error", errorText(frame))
        put("success", false)
        frame.code?.let { put("error_code", it) }
        frame.hint?.let { put("resolution_hint", it) }
        frame.authorizeIntent?.let { put("authorize_intent", it) }
    }

    private fun JsonObjectBuilder.approvalResponse(frame: DeviceFrame.ApprovalResponse) {
        put("id", frame.id)
        put("digest", frame.digest)
        when (val decision = frame.decision) {
            Decision.Deny -> put("decision", "deny")
            is Decision.Allow -> {
                put("decision", "allow")
                put("scope", decision.scope.name.lowercase())
            }
        }
    }

    private fun JsonObjectBuilder.askUserResponse(frame: DeviceFrame.AskUserResponse) {
        put("request_id", frame.requestId)
        when (val reply = frame.reply) {
            Reply.Declined -> put("status", "declined")
            is Reply.Said -> {
                put("status", "answered")
                put("answer", reply.text)
            }
        }
    }

    /** The text form, which is all that older gateways read (spec 13.1). */
    private fun errorText(frame: DeviceFrame.ToolError): String {
        val code = frame.code?.let { "[$it] " }.orEmpty()
        val hint = frame.hint?.takeIf { it.isNotEmpty() }?.let { " — $it" }.orEmpty()
        return code + frame.message + hint
    }
}
