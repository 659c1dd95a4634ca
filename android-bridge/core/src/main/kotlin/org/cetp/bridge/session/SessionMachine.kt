package org.cetp.bridge.session

import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.tools.Catalog

/** What follows from an event. */
public data class Step(val state: SessionState, val effects: List<SessionEffect> = emptyList())

/**
 * Decides what the session does: a plain function of its state and of what happens, without clock, socket or coroutine.
 *
 * At any time there is at most one socket or one timer for the next try. What a socket or timer says that is no longer
 * the present one changes nothing.
 */
public class SessionMachine(private val options: SessionOptions, private val backoff: Backoff) {
    private val talk = SocketTalk(options)
    private val person = PersonTalk(options)

    /** The next state, and what is to be done. */
    public fun step(state: SessionState, event: SessionEvent): Step = when (event) {
        is SessionEvent.Wanted -> wanted(state, event.target)
        is SessionEvent.Forbidden -> away(state.copy(target = null), Phase.Stopped(event.reason))
        SessionEvent.Unwanted -> away(state.copy(target = null), Phase.Off)
        is SessionEvent.Deciding -> deciding(state, event.here)
        is SessionEvent.Answered -> person.answer(state, event.key, event.answer)
        is SessionEvent.CatalogChanged -> catalogChanged(state, event.catalog)
        SessionEvent.NetworkReturned -> networkReturned(state)
        is SessionEvent.Elapsed -> elapsed(state, event.timer)
        is SessionEvent.OfSocket -> {
            val phase = state.phase
            if (phase is Phase.OnSocket && phase.socket == event.socket) ofSocket(state, phase, event) else Step(state)
        }
    }

    private fun wanted(state: SessionState, target: GatewayTarget): Step = when {
        target != state.target -> {
            val forgotten = person.forget(state)
            val afresh = SessionState(
                catalog = state.catalog,
                lastNumber = state.lastNumber,
                target = target,
                isDeciding = state.isDeciding,
            )
            open(afresh, leave(state.phase) + forgotten.effects)
        }
        state.phase is Phase.OnSocket -> Step(state)
        else -> open(state, leave(state.phase))
    }

    /** A gateway reads what a device can do once for each connection, so another wish needs another one. */
    private fun deciding(state: SessionState, here: Boolean): Step {
        if (here == state.isDeciding) return Step(state)
        val forgotten = person.forget(state.copy(isDeciding = here))
        if (state.phase !is Phase.OnSocket) return forgotten
        return open(forgotten.state, leave(state.phase) + forgotten.effects)
    }

    private fun catalogChanged(state: SessionState, catalog: Catalog): Step {
        val changed = state.copy(catalog = catalog)
        val live = changed.phase as? Phase.Live ?: return Step(changed)
        if (live.settle != null || catalog == state.catalog) return Step(changed)
        val settle = Timer(changed.lastNumber + 1, Timer.Purpose.SETTLE)
        return Step(
            changed.copy(phase = live.copy(settle = settle), lastNumber = settle.number),
            listOf(SessionEffect.StartTimer(settle, options.settle)),
        )
    }

    private fun networkReturned(state: SessionState): Step = when (val phase = state.phase) {
        is Phase.Waiting -> open(state, leave(phase))
        is Phase.Live -> talk.probe(state, phase)
        is Phase.Opening, Phase.Off, is Phase.Stopped -> Step(state)
    }

    private fun elapsed(state: SessionState, timer: Timer): Step = when (timer.purpose) {
        Timer.Purpose.EXPIRY -> person.expired(state, timer)
        Timer.Purpose.GREETING, Timer.Purpose.STEADY, Timer.Purpose.SETTLE, Timer.Purpose.PROBE, Timer.Purpose.RETRY,
        Timer.Purpose.RESEND,
        -> elapsedOfPhase(state, timer)
    }

    private fun elapsedOfPhase(state: SessionState, timer: Timer): Step = when (val phase = state.phase) {
        is Phase.Opening -> when (timer) {
            phase.greeting -> lost(state, Ending.Return("the gateway does not answer"))
            else -> Step(state)
        }
        is Phase.Waiting -> if (timer == phase.retry) open(state, emptyList()) else Step(state)
        is Phase.Live -> elapsedLive(state, phase, timer)
        Phase.Off, is Phase.Stopped -> Step(state)
    }

    private fun elapsedLive(state: SessionState, phase: Phase.Live, timer: Timer): Step = when (timer) {
        phase.steady -> Step(state.copy(phase = phase.copy(steady = null), failures = 0))
        phase.settle -> reconcile(state, phase.copy(settle = null))
        phase.probe -> lost(state, Ending.Return("the connection no longer answers"))
        phase.resend -> person.resent(state, phase)
        else -> Step(state)
    }

    private fun ofSocket(state: SessionState, phase: Phase.OnSocket, event: SessionEvent.OfSocket): Step =
        when (event) {
            is SessionEvent.Opened -> if (phase is Phase.Opening) introduce(state, phase) else Step(state)
            is SessionEvent.Received -> received(state, phase, event)
            is SessionEvent.Closed -> lost(state, Ending.ofClose(event.code))
            is SessionEvent.Failed -> lost(state, Ending.ofFailure(event.status, event.message))
            is SessionEvent.CallEnded ->
                Step(state, listOfNotNull(event.answer?.let { SessionEffect.Send(phase.socket, it) }))
        }

    private fun introduce(state: SessionState, phase: Phase.Opening): Step =
        talk.introduce(state, phase, person.capabilities(state.isDeciding))

    private fun received(state: SessionState, phase: Phase.OnSocket, event: SessionEvent.Received): Step {
        val alive = talk.alive(state, phase)
        val present = alive.state.phase as Phase.OnSocket
        val frame = event.frame
        val step = when {
            frame is GatewayFrame.Connected && present is Phase.Opening -> connected(alive.state, present, frame)
            frame is GatewayFrame.ToPerson -> person.hear(alive.state, present, frame, event.at)
            else -> talk.hear(alive.state, present, frame)
        }
        return Step(step.state, alive.effects + step.effects)
    }

    private fun connected(state: SessionState, phase: Phase.Opening, frame: GatewayFrame.Connected): Step {
        val steady = Timer(state.lastNumber + 1, Timer.Purpose.STEADY)
        val granted = frame.capabilities.intersect(person.capabilities(state.isDeciding).toSet())
        val live = Phase.Live(phase.socket, granted, phase.registered, steady)
        val greeted = person.greeted(state.copy(phase = live, limits = frame.limits, lastNumber = steady.number), live)
        val step = reconcile(greeted.state, greeted.state.phase as Phase.Live)
        val timers = listOf(SessionEffect.StopTimer(phase.greeting), SessionEffect.StartTimer(steady, options.steady))
        return Step(step.state, timers + greeted.effects + step.effects)
    }

    /** Make the gateway's list the catalog's; where a tool cannot be withdrawn, only a new socket does that. */
    private fun reconcile(state: SessionState, live: Phase.Live): Step {
        val plan = RegistrationPlan.of(state.catalog, state.effectiveLimits)
        val present = state.copy(phase = live)
        val canReplace = CetpContract.Capability.UNREGISTER in live.capabilities
        val withdrawn = live.registered.tools.tools.any { plan.tools.find(it.wireName) == null }
        return when {
            canReplace || !withdrawn -> talk.register(present, live, plan, canReplace)
            live.steady == null -> open(present, leave(live))
            // A gateway that sets smaller limits each time must not have new sockets without a pause.
            else -> lost(present, Ending.Return("tools were withdrawn, for which this gateway needs a new connection"))
        }
    }

    private fun open(state: SessionState, before: List<SessionEffect>): Step {
        val target = state.target ?: return Step(state.copy(phase = Phase.Off), before)
        val socket = state.lastNumber + 1
        val greeting = Timer(socket + 1, Timer.Purpose.GREETING)
        val effects = listOf(SessionEffect.Open(socket, target), SessionEffect.StartTimer(greeting, options.greeting))
        return Step(state.copy(phase = Phase.Opening(socket, greeting), lastNumber = greeting.number), before + effects)
    }

    private fun lost(state: SessionState, ending: Ending): Step = when (ending) {
        is Ending.Stop -> away(state, Phase.Stopped(ending.reason))
        is Ending.Return -> wait(state, ending.because)
        is Ending.ReturnWithLess -> wait(state.copy(ceiling = talk.lower(state.effectiveLimits)), ending.because)
    }

    /** No further try by itself, so nobody is asked here any more. */
    private fun away(state: SessionState, phase: Phase): Step {
        val forgotten = person.forget(state)
        return Step(forgotten.state.copy(phase = phase, failures = 0), leave(state.phase) + forgotten.effects)
    }

    private fun wait(state: SessionState, because: String): Step {
        val failures = state.failures.coerceAtMost(Int.MAX_VALUE - 2) + 1
        val pause = backoff.pause(failures)
        val retry = Timer(state.lastNumber + 1, Timer.Purpose.RETRY)
        return Step(
            state.copy(phase = Phase.Waiting(retry, pause, because), failures = failures, lastNumber = retry.number),
            leave(state.phase) + SessionEffect.StartTimer(retry, pause),
        )
    }

    /** Nothing of a phase goes on after it: no timer, no call, no socket. */
    private fun leave(phase: Phase): List<SessionEffect> = when (phase) {
        is Phase.Opening -> listOf(SessionEffect.StopTimer(phase.greeting)) + end(phase)
        is Phase.Live -> phase.timers.map(SessionEffect::StopTimer) + end(phase)
        is Phase.Waiting -> listOf(SessionEffect.StopTimer(phase.retry))
        Phase.Off, is Phase.Stopped -> emptyList()
    }

    private fun end(phase: Phase.OnSocket) =
        listOf(SessionEffect.DropCalls(phase.socket), SessionEffect.Close(phase.socket))
}
