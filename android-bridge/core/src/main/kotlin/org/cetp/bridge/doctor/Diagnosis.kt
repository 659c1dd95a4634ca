package org.cetp.bridge.doctor

import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.ProbeResult

/** Every precondition of the bridge with its state, in the order in which they are shown; immutable. */
public data class Diagnosis(val checks: List<Check>) {
    /** The worst state of all; what is unknown counts less than what is known to be bad. */
    public val worst: CheckState =
        listOf(CheckState.FAILED, CheckState.WARNING, CheckState.UNKNOWN).find { count(it) > 0 } ?: CheckState.OK

    /** How many checks came out so. */
    public fun count(state: CheckState): Int = checks.count { it.state == state }

    public companion object {
        /**
         * Judge what is known; the same facts always give the same diagnosis.
         *
         * @param target null when the phone is not paired.
         * @param probed the steps to the gateway that are done by now.
         */
        public fun of(facts: PhoneFacts, target: GatewayTarget?, probed: List<ProbeResult>): Diagnosis =
            Diagnosis((phoneChecks(facts) + gatewayChecks(target, probed)).sortedBy { it.subject })
    }
}
