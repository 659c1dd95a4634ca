package org.cetp.bridge.person

import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.PersonAnswer
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.RequestKey
import org.cetp.bridge.session.Timer

/**
 * What the gateway asks the phone's owner; a value without clock and socket.
 *
 * @property open oldest first, at most [MOST_OPEN].
 * @property ended newest first, at most [MOST_ENDED]: for a screen that is still looking at one.
 */
public data class PersonRequests(
    val open: List<OpenRequest> = emptyList(),
    val ended: List<EndedRequest> = emptyList(),
) {
    /** The open request of this key. */
    public fun find(key: RequestKey): OpenRequest? = open.find { it.key == key }

    /** The open request that ends with this wait. */
    public fun endingWith(timer: Timer): OpenRequest? = open.find { it.expiry == timer }

    /** Those about which the gateway has been silent since it was reached again. */
    public val unconfirmed: List<OpenRequest> get() = open.filterNot { it.isConfirmed }

    /** The gateway asks; one with the same key is replaced. Null when there is no room. */
    public fun with(request: OpenRequest): PersonRequests? {
        val others = open.filter { it.key != request.key }
        if (others.size >= MOST_OPEN) return null
        val place = open.indexOfFirst { it.key == request.key }
        return copy(open = if (place < 0) others + request else open.toMutableList().also { it[place] = request })
    }

    /** Another state of a request that is open; no change when it is not. */
    public fun changed(key: RequestKey, change: (OpenRequest) -> OpenRequest): PersonRequests =
        copy(open = open.map { if (it.key == key) change(it) else it })

    /** The gateway has been reached again, and will ask again for what is still open (spec 13.4). */
    public fun reconnected(): PersonRequests = copy(open = open.map { it.copy(isConfirmed = false) })

    /** It is over; no change when it was not open. Whoever gave the answer that counted here is not another. */
    public fun closed(key: RequestKey, end: RequestEnd, by: String? = null): PersonRequests {
        val request = find(key) ?: return this
        val other = by.takeUnless { request.answer?.let(::endOf) == end }
        return PersonRequests(open - request, (listOf(EndedRequest(key, end, other)) + ended).take(MOST_ENDED))
    }

    public companion object {
        /** Requests that are kept; more than any owner answers. */
        public const val MOST_OPEN: Int = 64

        /** Ends that are kept. */
        public const val MOST_ENDED: Int = 32

        /** How a request ends when this answer counts. */
        public fun endOf(answer: PersonAnswer): RequestEnd = when (answer) {
            is Decision.Allow -> RequestEnd.ALLOWED
            Decision.Deny -> RequestEnd.DENIED
            is Reply.Said -> RequestEnd.ANSWERED
            Reply.Declined -> RequestEnd.DECLINED
        }
    }
}
