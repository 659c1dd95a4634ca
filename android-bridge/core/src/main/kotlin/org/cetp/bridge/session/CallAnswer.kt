package org.cetp.bridge.session

import org.cetp.bridge.journal.CallOutcome
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.DeviceFrameWriter
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.ProviderReply
import org.cetp.bridge.tools.CallReplies

/** From a provider's reply to the frame that answers a request. */
internal object CallAnswer {
    /** UTF-8 bytes that one UTF-16 unit can become in a frame, escaped as `\u0000`. */
    private const val MOST_BYTES = 6

    private const val TOO_LATE = "the app did not answer in time; it may have run the call"

    /** UTF-8 bytes of an answer besides its texts, generously. */
    private const val ROOM = 512

    /** The reply, or one that says that it is too large for the gateway. */
    fun fitting(id: String, reply: ProviderReply, messageBytes: Int): ProviderReply {
        val characters = id.length + when (reply) {
            is ProviderReply.Success -> reply.data.length
            // Code and hint are sent in two places.
            is ProviderReply.Failure ->
                2 * listOfNotNull(reply.code, reply.message, reply.hint, reply.authorizeIntent).sumOf { it.length }
        }
        // Nearly every answer is so small that it need not be measured.
        if (characters.toLong() * MOST_BYTES + ROOM <= messageBytes) return reply
        val bytes = DeviceFrameWriter.utf8Bytes(DeviceFrameWriter.write(frame(id, reply)))
        return if (bytes <= messageBytes) reply else CallReplies.tooLarge(messageBytes)
    }

    fun frame(id: String, reply: ProviderReply): DeviceFrame = when (reply) {
        is ProviderReply.Success -> DeviceFrame.ToolResult(id, reply.data)
        is ProviderReply.Failure ->
            DeviceFrame.ToolError(id, reply.code, reply.message, reply.hint, reply.authorizeIntent)
    }

    /**
     * A gateway that gave a deadline knows itself that it has passed, and tells a time-out from a refusal (spec 13.3).
     * Another one still waits and is told in words, without a code, since no provider has decided anything.
     */
    fun late(request: GatewayFrame.ToolCallRequest): DeviceFrame? =
        if (request.deadline != null) null else DeviceFrame.ToolError(request.id, null, TOO_LATE)

    fun outcome(reply: ProviderReply?): CallOutcome = when (reply) {
        null -> CallOutcome.TimedOut
        is ProviderReply.Success -> CallOutcome.Answered(reply.data.length)
        is ProviderReply.Failure -> CallOutcome.Refused(reply.code, reply.message)
    }
}
