package org.cetp.bridge.protocol

/** What a bridge sends to its gateway (spec 13.1, 13.4). */
public sealed interface DeviceFrame {
    /** Who is there. @property sessionId and [deviceId] are safe ids: 1 to 128 of `A-Z a-z 0-9 _ . -`. */
    public data class Connect(
        val sessionId: String,
        val deviceId: String,
        val deviceName: String,
        val capabilities: List<String>,
    ) : DeviceFrame {
        init {
            require(isSafeId(sessionId)) { "a session id must be 1 to 128 of A-Z a-z 0-9 _ . -" }
            require(isSafeId(deviceId)) { "a device id must be 1 to 128 of A-Z a-z 0-9 _ . -" }
        }
    }

    /** Tools to offer. @property replace they are the whole set; only where `cetp.unregister` is granted. */
    public data class RegisterTools(val tools: List<OfferedTool>, val replace: Boolean) : DeviceFrame

    /** Asks for the tools that are held for this socket: shows whether anybody is still there. */
    public data object GetRegisteredTools : DeviceFrame

    /** A tool's answer. @property output JSON text, sent as the text it is. */
    public data class ToolResult(val id: String, val output: String) : DeviceFrame {
        init {
            require(id.isNotEmpty()) { "an answer needs its request's id" }
        }

        override fun toString(): String = "ToolResult($id, ${output.length} characters)"
    }

    /** A tool's refusal or failure. @property code null only where nobody decided on one. */
    public data class ToolError(
        val id: String,
        val code: String?,
        val message: String,
        val hint: String? = null,
        val authorizeIntent: String? = null,
    ) : DeviceFrame {
        init {
            require(id.isNotEmpty()) { "an answer needs its request's id" }
            require(code == null || code.isNotEmpty()) { "a code must not be empty" }
        }

        override fun toString(): String = "ToolError($id, $code)"
    }

    /** The owner's decision about a call. @property digest as the request had it. */
    public data class ApprovalResponse(val id: String, val digest: String, val decision: Decision) : DeviceFrame {
        init {
            require(id.isNotEmpty()) { "an answer needs its request's id" }
            require(digest.isNotEmpty()) { "an answer needs its request's digest" }
        }
    }

    /** The owner's answer to a model's question. */
    public data class AskUserResponse(val requestId: String, val reply: Reply) : DeviceFrame {
        init {
            require(requestId.isNotEmpty()) { "an answer needs its request's id" }
        }
    }

    public companion object {
        /** Whether the gateway takes a text as a session's or device's id. */
        public fun isSafeId(text: String): Boolean = text.length in 1..128 && text.all { it in SAFE }

        private val SAFE = (('A'..'Z') + ('a'..'z') + ('0'..'9') + listOf('_', '.', '-')).toSet()
    }
}

/** One tool of a registration. @property name the wire name. @property app where it comes from. */
public data class OfferedTool(val name: String, val spec: ToolSpec, val app: Origin) {
    init {
        require(name.isNotEmpty()) { "a tool needs a name" }
    }

    /** The app behind a tool. @property label for people. @property version the app's own. */
    public data class Origin(val packageName: String, val label: String, val version: String)
}
