package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.protocol.GatewayFrame.PersonAsked
import org.cetp.bridge.protocol.GatewayFrame.PersonHeard
import org.cetp.bridge.protocol.GatewayFrame.RequestClosed
import org.cetp.bridge.protocol.RequestKey.Kind

/** Reads the frames of `cetp.approvals` and `cetp.questions` (spec 13.4). Called by [GatewayFrameReader]. */
internal object PersonFrameReader {
    private const val LONGEST_NAME = 200
    private const val LONGEST_TEXT = 4_000
    private const val LONGEST_LABEL = 1_000
    private const val MOST_OPTIONS = 50

    /** Null when the type is none of these. */
    fun read(type: String, frame: JsonObject): GatewayFrame? = when (type) {
        "approval_request" -> approval(frame)
        "approval_closed" -> closed(type, Kind.APPROVAL, frame, "id", "decision")
        "approval_ack" -> heard(type, Kind.APPROVAL, frame, "id")
        "ask_user_request" -> question(frame)
        "ask_user_closed" -> closed(type, Kind.QUESTION, frame, "request_id", "status")
        "ask_user_ack" -> heard(type, Kind.QUESTION, frame, "request_id")
        else -> null
    }

    private fun approval(frame: JsonObject): GatewayFrame {
        val type = "approval_request"
        return PersonAsked(
            ApprovalRequest(
                id = frame.id("id") ?: return lacking(type, "id"),
                digest = frame.id("digest") ?: return lacking(type, "digest"),
                tool = frame.line("tool") ?: return lacking(type, "tool"),
                arguments = (frame["args"] as? JsonObject)?.let(ShownArguments::of) ?: return lacking(type, "args"),
                effect = effect(frame) ?: return lacking(type, "effect"),
                scopes = scopes(frame["scopes"]).ifEmpty { return lacking(type, "scopes") },
                expiresIn = length(frame["expires_in_ms"]) ?: return lacking(type, "expires_in_ms"),
                reason = frame.paragraph("reason"),
                caller = frame.line("caller"),
                device = frame.line("device"),
                app = frame.line("app"),
                session = frame.line("session_id"),
            ),
        )
    }

    /** One that is not known here may be anything. */
    private fun effect(frame: JsonObject): CallEffect? {
        val name = frame.text("effect") ?: return null
        return CallEffect.entries.find { it.name.lowercase() == name } ?: CallEffect.UNKNOWN
    }

    private fun scopes(element: JsonElement?): Set<ApprovalScope> {
        val names = (element as? JsonArray).orEmpty().mapNotNull(::text)
        return ApprovalScope.entries.filterTo(LinkedHashSet()) { it.name.lowercase() in names }
    }

    private fun question(frame: JsonObject): GatewayFrame {
        val type = "ask_user_request"
        val options = (frame["options"] as? JsonArray).orEmpty()
        if (options.size > MOST_OPTIONS) return GatewayFrame.Unreadable("$type has more than $MOST_OPTIONS options")
        return PersonAsked(
            Question(
                id = frame.id("request_id") ?: return lacking(type, "request_id"),
                text = frame.paragraph("question") ?: return lacking(type, "question"),
                options = options.map { option(it) ?: return lacking(type, "options") },
                otherAnswers = (frame["other_answers"] as? JsonPrimitive)?.content != "false",
                expiresIn = frame["expires_in_ms"]?.let { length(it) ?: return lacking(type, "expires_in_ms") },
                caller = frame.line("caller"),
                session = frame.line("session_id"),
            ),
        )
    }

    private fun option(element: JsonElement): Question.Option? {
        val fields = element as? JsonObject ?: return null
        val label = fields.text("label")?.takeIf { it.length in 1..LONGEST_LABEL } ?: return null
        return Question.Option(label, fields.paragraph("description"))
    }

    /** However it ended, nobody is to be asked any more. */
    private fun closed(type: String, kind: Kind, frame: JsonObject, id: String, end: String): GatewayFrame {
        val key = RequestKey(kind, frame.id(id) ?: return lacking(type, id))
        val word = frame.text(end)
        val known = RequestClosed.End.entries.find { it.name.lowercase() == word }
        return RequestClosed(key, known ?: RequestClosed.End.CLOSED, frame.line("by"))
    }

    private fun heard(type: String, kind: Kind, frame: JsonObject, id: String): GatewayFrame {
        val key = RequestKey(kind, frame.id(id) ?: return lacking(type, id))
        val status = when (frame.text("status") ?: return lacking(type, "status")) {
            "accepted" -> PersonHeard.Status.ACCEPTED
            "too_late", "unknown", "not_pending" -> PersonHeard.Status.TOO_LATE
            "not_allowed" -> PersonHeard.Status.NOT_ALLOWED
            else -> PersonHeard.Status.NOT_TAKEN
        }
        return PersonHeard(key, status, frame.paragraph("error"))
    }

    private fun JsonObject.line(key: String): String? =
        text(key)?.let { PlainText.line(it, LONGEST_NAME) }?.takeIf { it.isNotEmpty() }

    private fun JsonObject.paragraph(key: String): String? =
        text(key)?.let { PlainText.paragraph(it, LONGEST_TEXT) }?.takeIf { it.isNotBlank() }
}
