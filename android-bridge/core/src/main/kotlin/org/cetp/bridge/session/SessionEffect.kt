package org.cetp.bridge.session

import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.tools.CatalogTool
import kotlin.time.Duration

/** What is to be done after a step; performed in order. */
public sealed interface SessionEffect {
    public data class Open(val socket: Long, val target: GatewayTarget) : SessionEffect

    public data class Send(val socket: Long, val frame: DeviceFrame) : SessionEffect

    /** Nothing more comes of this socket, whether it was still open or not. */
    public data class Close(val socket: Long) : SessionEffect

    public data class StartTimer(val timer: Timer, val after: Duration) : SessionEffect

    public data class StopTimer(val timer: Timer) : SessionEffect

    /** @property tool what was registered under that name; null when nothing was. */
    public data class RunCall(
        val socket: Long,
        val request: GatewayFrame.ToolCallRequest,
        val tool: CatalogTool?,
        val messageBytes: Int,
    ) : SessionEffect

    public data class CancelCall(val socket: Long, val id: String) : SessionEffect

    /** All calls of the socket: nobody is there to take an answer. */
    public data class DropCalls(val socket: Long) : SessionEffect

    /** For the log. @property text holds no contents of calls. */
    public data class Note(val text: String) : SessionEffect
}
