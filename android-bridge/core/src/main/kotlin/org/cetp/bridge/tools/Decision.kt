package org.cetp.bridge.tools

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import org.cetp.bridge.protocol.JsonValues

/**
 * What the owner decided on an app, good for one signing certificate only.
 *
 * @property signer who had signed the app at that time.
 * @property writingTools the tools that say they write and may be offered nevertheless; empty unless it is allowed.
 */
internal data class Decision(val allowed: Boolean, val signer: String, val writingTools: Set<String> = emptySet()) {
    /** How it counts for the app as it is signed now. A refusal stays one, whoever signs. */
    fun consent(signer: String): Consent = when {
        !allowed -> Consent.REFUSED
        signer == this.signer -> Consent.ALLOWED
        else -> Consent.SIGNER_CHANGED
    }

    /** The decision after a further one on the app. What was allowed to write falls, unless nothing changes. */
    fun then(allowed: Boolean, signer: String): Decision =
        if (allowed && consent(signer) == Consent.ALLOWED) this else Decision(allowed, signer)

    /** The decision after one on a tool; unchanged where the app itself is not allowed. */
    fun withTool(tool: String, allowed: Boolean): Decision = when {
        !this.allowed -> this
        allowed -> copy(writingTools = writingTools + tool)
        else -> copy(writingTools = writingTools - tool)
    }

    /** As text for a [ConsentStore]. */
    fun encode(): String = JsonObject(
        mapOf(
            ALLOWED to JsonPrimitive(allowed),
            SIGNER to JsonPrimitive(signer),
            TOOLS to JsonArray(writingTools.sorted().map(::JsonPrimitive)),
        ),
    ).toString()

    companion object {
        private const val ALLOWED = "allowed"
        private const val SIGNER = "signer"
        private const val TOOLS = "writing_tools"

        /** What [encode] wrote; null for everything else, which counts as never decided. */
        fun decode(text: String): Decision? {
            val content = JsonValues.parse(text) as? JsonObject ?: return null
            val allowed = (content[ALLOWED] as? JsonPrimitive)?.takeIf { !it.isString }?.booleanOrNull ?: return null
            val signer = JsonValues.text(content[SIGNER]) ?: return null
            val tools = content[TOOLS] as? JsonArray ?: return null
            return Decision(allowed, signer, tools.mapNotNullTo(LinkedHashSet(), JsonValues::text))
        }
    }
}
