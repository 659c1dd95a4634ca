package org.cetp.bridge.fakes

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.intOrNull
import org.cetp.bridge.protocol.ApprovalScope
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.OfferedTool
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.ToolSpec

/** Reads frames of a bridge as strictly as one writes them: what a bridge would not write is null. */
object DeviceFrames {
    /** @throws IllegalArgumentException a value is not as a frame's type demands. */
    fun read(data: JsonElement): DeviceFrame? {
        val frame = data as? JsonObject ?: return null
        return when (text(frame["type"])) {
            "connect" -> connect(frame)
            "register_tools" -> registerTools(frame)
            "get_registered_tools" -> DeviceFrame.GetRegisteredTools
            "tool_result" -> toolResult(frame)
            "tool_error" -> toolError(frame)
            "approval_response" -> approvalResponse(frame)
            "ask_user_response" -> askUserResponse(frame)
            else -> null
        }
    }

    private fun connect(frame: JsonObject): DeviceFrame? {
        if ((frame["v"] as? JsonPrimitive)?.takeIf { !it.isString }?.intOrNull != 1) return null
        val capabilities = frame["capabilities"] as? JsonArray ?: return null
        return DeviceFrame.Connect(
            text(frame["session_id"]) ?: return null,
            text(frame["device_id"]) ?: return null,
            text(frame["device_name"]) ?: return null,
            capabilities.map { text(it) ?: return null },
        )
    }

    private fun registerTools(frame: JsonObject): DeviceFrame? {
        val tools = (frame["tools"] as? JsonArray ?: return null).map { tool(it) ?: return null }
        val replace = frame["replace"]?.let { flag(it) ?: return null }
        return DeviceFrame.RegisterTools(tools, replace ?: false)
    }

    private fun tool(data: JsonElement): OfferedTool? {
        val entry = data as? JsonObject ?: return null
        val provider = entry["provider"] as? JsonObject ?: return null
        val origin = OfferedTool.Origin(
            text(provider["package"]) ?: return null,
            text(provider["label"]) ?: return null,
            text(provider["version"]) ?: return null,
        )
        val parameters = entry["parameters"] as? JsonObject ?: return null
        val spec = ToolSpec("", text(entry["description"]) ?: return null, parameters)
        if (text(entry["effect"]) != "reads") return null
        return OfferedTool(text(entry["name"]) ?: return null, spec, origin)
    }

    private fun toolResult(frame: JsonObject): DeviceFrame? {
        if (flag(frame["success"]) != true) return null
        return DeviceFrame.ToolResult(text(frame["id"]) ?: return null, text(frame["output"]) ?: return null)
    }

    private fun toolError(frame: JsonObject): DeviceFrame? {
        if (flag(frame["success"]) != false) return null
        val (code, hint, intent) = listOf("error_code", "resolution_hint", "authorize_intent").map { key ->
            frame[key]?.let { text(it) ?: return null }
        }
        val error = text(frame["error"]) ?: return null
        val message = error.removePrefix("[$code] ").removeSuffix(hint?.let { " — $it" }.orEmpty())
        return DeviceFrame.ToolError(text(frame["id"]) ?: return null, code, message, hint, intent)
    }

    private fun approvalResponse(frame: JsonObject): DeviceFrame? = DeviceFrame.ApprovalResponse(
        text(frame["id"]) ?: return null,
        text(frame["digest"]) ?: return null,
        decision(frame) ?: return null,
    )

    /** A missing scope means once (spec 13.4); the bridge writes it. */
    fun decision(frame: JsonObject): Decision? = when (text(frame["decision"])) {
        "allow" -> {
            val scope = if ("scope" in frame) text(frame["scope"]) else "once"
            ApprovalScope.entries.find { it.name.lowercase() == scope }?.let(Decision::Allow)
        }
        "deny" -> Decision.Deny
        else -> null
    }

    private fun askUserResponse(frame: JsonObject): DeviceFrame? {
        if (frame.keys.any { it in ONLY_OTHERS_WRITE }) return null
        return DeviceFrame.AskUserResponse(text(frame["request_id"]) ?: return null, reply(frame) ?: return null)
    }

    fun reply(frame: JsonObject): Reply? = when (text(frame["status"])) {
        "answered" -> text(frame["answer"])?.let(Reply::Said)
        null -> null
        else -> Reply.Declined
    }

    private fun text(element: JsonElement?): String? = (element as? JsonPrimitive)?.takeIf { it.isString }?.content

    private fun flag(element: JsonElement?): Boolean? =
        (element as? JsonPrimitive)?.takeIf { !it.isString }?.booleanOrNull

    private val ONLY_OTHERS_WRITE = setOf("turn_id", "tool_call_id")
}
