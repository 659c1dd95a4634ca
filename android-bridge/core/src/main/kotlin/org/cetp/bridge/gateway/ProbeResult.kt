package org.cetp.bridge.gateway

/** The steps to a gateway, in their order. */
public enum class ProbeStep {
    /** The host's name leads to an address, and one that may be used. */
    NAME,

    /** The machine takes a connection on the port. */
    REACH,

    /** TLS, the certificate or the pin; passed without TLS too, and then said so. */
    TLS,

    /** What answers is a gateway. */
    HEALTH,

    /** The two clocks agree. */
    CLOCK,

    /** The token is good. */
    TOKEN,

    /** The socket opens. */
    SOCKET,
}

/** One step and what became of it. */
public data class ProbeResult(val step: ProbeStep, val outcome: ProbeOutcome)

/** What became of a step. */
public sealed interface ProbeOutcome {
    /** @property detail what was found, such as an address; may be empty, holds no secret. */
    public data class Passed(val detail: String) : ProbeOutcome

    public data class Failed(val problem: GatewayProblem) : ProbeOutcome

    /** A step before it failed, so nothing can be said. */
    public data object Skipped : ProbeOutcome
}
