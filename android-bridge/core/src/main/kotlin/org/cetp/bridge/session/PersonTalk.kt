package org.cetp.bridge.session

import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.person.RequestEnd
import org.cetp.bridge.protocol.ApprovalRequest
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.PersonAnswer
import org.cetp.bridge.protocol.Question
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.RequestKey

/**
 * What the gateway asks the phone's owner, and what they say; plain functions that [SessionMachine] is made of.
 *
 * A request outlives its socket: the gateway asks again for all that is still open once it has greeted (spec 13.4), an
 * answer that may have been lost is then sent again, and what it does not ask again within a while is over.
 */
internal class PersonTalk(private val options: SessionOptions) {
    /** The capabilities that are offered while the owner wants to decide here, or does not. */
    fun capabilities(isDeciding: Boolean): List<String> =
        if (isDeciding) options.capabilities else options.capabilities - KINDS.map { it.capability }.toSet()

    /** The gateway has greeted on a new socket. */
    fun greeted(state: SessionState, live: Phase.Live): Step {
        if (state.requests.open.isEmpty()) return Step(state)
        val resend = Timer(state.lastNumber + 1, Timer.Purpose.RESEND)
        val next = state.copy(
            phase = live.copy(resend = resend),
            requests = state.requests.reconnected(),
            lastNumber = resend.number,
        )
        return Step(next, listOf(SessionEffect.StartTimer(resend, options.resend)))
    }

    /** The gateway has had its time to ask again. */
    fun resent(state: SessionState, live: Phase.Live): Step {
        val present = Step(state.copy(phase = live.copy(resend = null)))
        return state.requests.unconfirmed.fold(present) { step, gone -> step.closing(gone.key, RequestEnd.CLOSED) }
    }

    fun hear(state: SessionState, phase: Phase.OnSocket, frame: GatewayFrame.ToPerson, at: Long): Step {
        val live = phase as? Phase.Live ?: return Step(state)
        if (frame.key.kind.capability !in live.capabilities) return Step(state)
        return when (frame) {
            is GatewayFrame.PersonAsked -> asked(state, live, frame, at)
            is GatewayFrame.RequestClosed -> Step(state).closing(frame.key, endOf(frame.end), frame.by)
            is GatewayFrame.PersonHeard -> heard(state, frame)
        }
    }

    /** The owner has spoken; once for each request, and nothing that it does not take. */
    fun answer(state: SessionState, key: RequestKey, answer: PersonAnswer): Step {
        val request = state.requests.find(key) ?: return Step(state)
        if (request.answer != null || !request.takes(answer)) return Step(state)
        val answered = request.copy(answer = answer, refusal = null)
        val next = state.copy(requests = state.requests.changed(key) { answered })
        val live = state.phase as? Phase.Live
        return Step(next, if (live != null && request.isConfirmed) send(live, answered) else emptyList())
    }

    /** Its time is over, also where no gateway is there to say so. */
    fun expired(state: SessionState, timer: Timer): Step {
        val request = state.requests.endingWith(timer) ?: return Step(state)
        return Step(state).closing(request.key, RequestEnd.EXPIRED)
    }

    /** Nobody is asked here any more. */
    fun forget(state: SessionState): Step {
        val timers = state.requests.open.mapNotNull { it.expiry }
        return Step(state.copy(requests = PersonRequests()), timers.map(SessionEffect::StopTimer))
    }

    private fun asked(state: SessionState, live: Phase.Live, frame: GatewayFrame.PersonAsked, at: Long): Step {
        val known = state.requests.find(frame.key)
        if (known == null || !isSame(known, frame)) return opened(state, frame, at)
        if (known.isConfirmed) return Step(state)
        val confirmed = known.copy(isConfirmed = true)
        return Step(state.copy(requests = state.requests.changed(frame.key) { confirmed }), send(live, confirmed))
    }

    /** How long there is time changes with each reading. */
    private fun isSame(known: OpenRequest, frame: GatewayFrame.PersonAsked): Boolean = when (val now = frame.request) {
        is ApprovalRequest -> (known.request as? ApprovalRequest)?.copy(expiresIn = now.expiresIn) == now
        is Question -> (known.request as? Question)?.copy(expiresIn = now.expiresIn) == now
    }

    private fun opened(state: SessionState, frame: GatewayFrame.PersonAsked, at: Long): Step {
        val request = frame.request
        val length = request.expiresIn
        val expiry = length?.let { Timer(state.lastNumber + 1, Timer.Purpose.EXPIRY) }
        val opened = OpenRequest(request, length?.let { at + it.inWholeMilliseconds }, expiry = expiry)
        val requests = state.requests.with(opened)
            ?: return Step(state, listOf(SessionEffect.Note("the gateway asks more than can be answered")))
        val stopped = state.requests.find(frame.key)?.expiry?.let(SessionEffect::StopTimer)
        val started = if (expiry != null) SessionEffect.StartTimer(expiry, length) else null
        val next = state.copy(requests = requests, lastNumber = expiry?.number ?: state.lastNumber)
        return Step(next, listOfNotNull(stopped, started))
    }

    private fun heard(state: SessionState, frame: GatewayFrame.PersonHeard): Step {
        val answer = state.requests.find(frame.key)?.answer ?: return Step(state)
        val step = Step(state)
        return when (frame.status) {
            GatewayFrame.PersonHeard.Status.ACCEPTED -> step.closing(frame.key, PersonRequests.endOf(answer))
            GatewayFrame.PersonHeard.Status.TOO_LATE -> step.closing(frame.key, RequestEnd.CLOSED)
            GatewayFrame.PersonHeard.Status.NOT_ALLOWED -> step.closing(frame.key, RequestEnd.NOT_ALLOWED)
            GatewayFrame.PersonHeard.Status.NOT_TAKEN -> Step(
                state.copy(
                    requests = state.requests.changed(frame.key) {
                        it.copy(answer = null, refusal = frame.error.orEmpty())
                    },
                ),
            )
        }
    }

    private fun Step.closing(key: RequestKey, end: RequestEnd, by: String? = null): Step {
        val expiry = state.requests.find(key)?.expiry?.let(SessionEffect::StopTimer)
        return Step(state.copy(requests = state.requests.closed(key, end, by)), effects + listOfNotNull(expiry))
    }

    private fun send(live: Phase.Live, request: OpenRequest): List<SessionEffect> =
        listOfNotNull(frame(request)?.let { SessionEffect.Send(live.socket, it) })

    private fun frame(answered: OpenRequest): DeviceFrame? = when (val request = answered.request) {
        is ApprovalRequest -> (answered.answer as? Decision)?.let {
            DeviceFrame.ApprovalResponse(request.id, request.digest, it)
        }
        is Question -> (answered.answer as? Reply)?.let { DeviceFrame.AskUserResponse(request.id, it) }
    }

    private fun endOf(end: GatewayFrame.RequestClosed.End): RequestEnd = when (end) {
        GatewayFrame.RequestClosed.End.ALLOWED -> RequestEnd.ALLOWED
        GatewayFrame.RequestClosed.End.DENIED -> RequestEnd.DENIED
        GatewayFrame.RequestClosed.End.ANSWERED -> RequestEnd.ANSWERED
        GatewayFrame.RequestClosed.End.DECLINED -> RequestEnd.DECLINED
        GatewayFrame.RequestClosed.End.EXPIRED -> RequestEnd.EXPIRED
        GatewayFrame.RequestClosed.End.CANCELLED -> RequestEnd.CANCELLED
        GatewayFrame.RequestClosed.End.CLOSED -> RequestEnd.CLOSED
    }

    private companion object {
        val KINDS = RequestKey.Kind.entries
    }
}
