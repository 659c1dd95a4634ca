package org.cetp.bridge.session

import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.usualSessionId
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.ErrorCode
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.GatewayLimits
import org.cetp.bridge.protocol.Verdict

/** What is said and heard on the present socket; plain functions that [SessionMachine] is made of. */
internal class SocketTalk(private val options: SessionOptions) {
    /** `connect` and, in the same burst, the tools: on a new socket there is nothing to replace. */
    fun introduce(state: SessionState, phase: Phase.Opening, capabilities: List<String>): Step {
        val target = checkNotNull(state.target) { "a socket without a target" }
        val connect = DeviceFrame.Connect(sessionId(target), target.deviceId, target.deviceName, capabilities)
        val tools = register(state, phase, RegistrationPlan.of(state.catalog, state.effectiveLimits), replace = false)
        return Step(tools.state, listOf(SessionEffect.Send(phase.socket, connect)) + tools.effects)
    }

    /** Send the plan's frames unless the gateway has these very tools. */
    fun register(state: SessionState, phase: Phase.OnSocket, plan: RegistrationPlan, replace: Boolean): Step {
        val known = phase.registered
        val planned = known.copy(
            tools = plan.tools,
            leftOut = plan.leftOut,
            held = known.held.filterKeys { plan.tools.find(it) != null },
        )
        val frames = if (plan.tools == known.tools) emptyList() else plan.frames(replace)
        return Step(state.copy(phase = phase.with(planned)), frames.map { SessionEffect.Send(phase.socket, it) })
    }

    /** A frame has come, so the socket is alive. */
    fun alive(state: SessionState, phase: Phase.OnSocket): Step {
        val probe = (phase as? Phase.Live)?.probe ?: return Step(state)
        return Step(state.copy(phase = phase.copy(probe = null)), listOf(SessionEffect.StopTimer(probe)))
    }

    /** See whether the socket has outlived a change of network. An older gateway may be silent for a whole turn. */
    fun probe(state: SessionState, phase: Phase.Live): Step {
        if (phase.probe != null || phase.capabilities.isEmpty()) return Step(state)
        val probe = Timer(state.lastNumber + 1, Timer.Purpose.PROBE)
        return Step(
            state.copy(phase = phase.copy(probe = probe), lastNumber = probe.number),
            listOf(
                SessionEffect.Send(phase.socket, DeviceFrame.GetRegisteredTools),
                SessionEffect.StartTimer(probe, options.probe),
            ),
        )
    }

    /** What a frame means once its gateway is known. */
    fun hear(state: SessionState, phase: Phase.OnSocket, frame: GatewayFrame): Step = when (frame) {
        is GatewayFrame.ToolCallRequest -> {
            val tool = phase.registered.tools.find(frame.name)
            Step(state, listOf(SessionEffect.RunCall(phase.socket, frame, tool, state.effectiveLimits.messageBytes)))
        }
        is GatewayFrame.ToolCallCancel -> Step(state, listOf(SessionEffect.CancelCall(phase.socket, frame.id)))
        is GatewayFrame.ToolsRegistered -> judged(state, phase, frame)
        is GatewayFrame.Error -> noted(state, "the gateway reports ${printable(frame.code ?: "an error")}")
        is GatewayFrame.Unreadable -> unreadable(state, phase, frame)
        is GatewayFrame.SessionStart, is GatewayFrame.Connected, is GatewayFrame.ResultAcknowledged,
        is GatewayFrame.RegisteredTools, is GatewayFrame.ToolsChanged, is GatewayFrame.Ignored,
        is GatewayFrame.ToPerson,
        -> Step(state)
    }

    /** The largest message that is tried after one was too large. */
    fun lower(limits: GatewayLimits): Int = (limits.messageBytes / 2).coerceAtLeast(GatewayLimits.SMALLEST_MESSAGE)

    private fun judged(state: SessionState, phase: Phase.OnSocket, frame: GatewayFrame.ToolsRegistered): Step {
        val judged = frame.verdicts.filter { phase.registered.tools.find(it.name) != null }
        val (held, usable) = judged.partition { it.state == Verdict.State.QUARANTINED }
        val reasons = held.associate { it.name to (it.reason ?: "The gateway gives no reason.") }
        val others = phase.registered.held - usable.map { it.name }.toSet()
        val registered = phase.registered.copy(held = others + reasons, taken = frame.registered)
        return Step(state.copy(phase = phase.with(registered)))
    }

    /** Whoever waits for a call is told; all else is passed over. */
    private fun unreadable(state: SessionState, phase: Phase.OnSocket, frame: GatewayFrame.Unreadable): Step {
        val note = SessionEffect.Note("a message of the gateway cannot be read: ${frame.reason}")
        val id = frame.requestId ?: return Step(state, listOf(note))
        val message = "the request cannot be read: ${frame.reason}"
        val answer = DeviceFrame.ToolError(id, ErrorCode.INVALID_ARGS.name, message)
        return Step(state, listOf(note, SessionEffect.Send(phase.socket, answer)))
    }

    private fun noted(state: SessionState, text: String) = Step(state, listOf(SessionEffect.Note(text)))

    private fun sessionId(target: GatewayTarget): String = options.sessionId ?: target.usualSessionId

    /** A code is a word; nothing else of a stranger's text goes into the log. */
    private fun printable(code: String): String = code.take(LONGEST_CODE).filter { it.isLetterOrDigit() || it in "_ -" }

    private companion object {
        const val LONGEST_CODE = 40
    }
}
