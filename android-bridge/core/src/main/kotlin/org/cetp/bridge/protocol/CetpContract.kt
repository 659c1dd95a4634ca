package org.cetp.bridge.protocol

/** Every fixed name of CETP v1, as `cetp-spec/contract.json` has them; a test compares the two. */
public object CetpContract {
    /** The version of the protocol that is spoken here (spec 9). */
    public const val VERSION: Int = 1

    /** Names that make a provider known (spec 3). */
    public object Discovery {
        public const val ACTION: String = "com.clawseed.action.TOOL_PROVIDER"
        public const val AUTHORITY: String = "com.clawseed.tools.authority"
        public const val VERSION: String = "com.clawseed.tools.version"
        public const val PERMISSION: String = "com.clawseed.permission.ACCESS_TOOLS"
    }

    /** Methods of the ContentProvider (spec 4). */
    public object Method {
        public const val LIST_TOOLS: String = "list_tools"
        public const val EXECUTE_TOOL: String = "execute_tool"
        public const val GET_PROVIDER_INFO: String = "get_provider_info"
    }

    /** Extras of `execute_tool` (spec 4.2). */
    public object Extra {
        public const val TOOL_NAME: String = "tool_name"
        public const val ARGS: String = "args"
        public const val REQUEST_ID: String = "request_id"
    }

    /** Keys of a reply Bundle, and the two values of its status (spec 5). */
    public object Reply {
        public const val STATUS: String = "status"
        public const val DATA: String = "data"
        public const val ERROR_CODE: String = "error_code"
        public const val ERROR_MESSAGE: String = "error_message"
        public const val RESOLUTION_HINT: String = "resolution_hint"
        public const val AUTHORIZE_INTENT: String = "authorize_intent"
        public const val SUCCESS: String = "success"
        public const val ERROR: String = "error"
    }

    /** Capabilities that are offered in `connect` (spec 13.4). */
    public object Capability {
        public const val REGISTRATION: String = "cetp.registration"
        public const val UNREGISTER: String = "cetp.unregister"
        public const val CANCEL: String = "cetp.cancel"
        public const val DEADLINE: String = "cetp.deadline"
        public const val SHARED: String = "cetp.shared"
        public const val READ_ONLY: String = "cetp.read_only"
        public const val NOTICES: String = "cetp.notices"
        public const val APPROVALS: String = "cetp.approvals"
        public const val QUESTIONS: String = "cetp.questions"
    }

    /** The gateway's address without a scheme and host (spec 13). */
    public object Gateway {
        public const val PORT: Int = 42617
        public const val PATH: String = "/ws/chat"
        public const val FRAME_VERSION: Int = 1
    }

    /** Close codes of the socket that are ours (spec 13.3). */
    public object CloseCode {
        public const val MESSAGE_TOO_LARGE: Int = 1009
        public const val RESTART: Int = 1012
        public const val TOKEN_REFUSED: Int = 4401
        public const val NOT_ALLOWED: Int = 4403
        public const val NOT_READING: Int = 4408
        public const val REPLACED: Int = 4409
        public const val TOO_MANY: Int = 4429
    }

    /** What names of tools are made of (spec 8). */
    public object Names {
        public const val SEPARATOR: String = "__"

        /** Characters of a wire name. */
        public const val MAX_LENGTH: Int = 64

        /** The legal characters, as the inside of a regular expression's class. */
        public const val ALPHABET: String = "A-Za-z0-9_-"
        public const val LABEL_HASH_DIGITS: Int = 4
        public const val NAME_HASH_DIGITS: Int = 8

        /** Segments of a package that say nothing about its app. */
        public val SILENT_SEGMENTS: Set<String> = setOf(
            "alpha", "android", "app", "application", "apps", "beta", "client", "com", "debug", "dev", "free", "full",
            "lite", "main", "mobile", "net", "org", "phone", "premium", "prod", "production", "release", "staging",
            "test",
        )
    }
}
