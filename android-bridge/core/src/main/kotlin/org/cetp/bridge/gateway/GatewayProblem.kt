package org.cetp.bridge.gateway

import kotlin.time.Duration

/**
 * Why a gateway cannot be used, for people. Holds no code, no token and no text of the gateway.
 *
 * @property message what is wrong.
 * @property nextStep what to do about it.
 */
public sealed class GatewayProblem(public val message: String, public val nextStep: String) {
    public data class UnknownHost(val host: String) : GatewayProblem(
        "The name $host leads nowhere.",
        "Look for a slip of the pen, or type the gateway's IP address. Is the phone in the gateway's network?",
    )

    public data class CleartextRefused(val host: String) : GatewayProblem(
        "$host is not on a private network, and the address is unencrypted.",
        "Use an https:// address. On the gateway: cetp serve with server.tls, then scan the link that cetp pair shows.",
    )

    public data class NotListening(val port: Int) : GatewayProblem(
        "The machine is there, but nothing listens on port $port.",
        "Is the gateway running there, with --host 0.0.0.0, and is this its port?",
    )

    public data object NoRoute : GatewayProblem(
        "There is no way to this address from here.",
        "Is the phone in the gateway's network, with Wi-Fi on?",
    )

    public data object Silent : GatewayProblem(
        "Nothing answered in time.",
        "Is the address right, the machine awake, and the port open in its firewall?",
    )

    public data object NotPermitted : GatewayProblem(
        "Android keeps this app away from the network.",
        "Allow the app to use the local network (nearby devices) and background data in the system's settings.",
    )

    public data object NotTls : GatewayProblem(
        "The address says https, but the gateway does not speak TLS there.",
        "Try http://, or switch TLS on at the gateway (server.tls).",
    )

    public data object PinMismatch : GatewayProblem(
        "This is not the gateway that the phone was paired with: it shows another key.",
        "If the gateway was set up anew, pair again with a new link. If not, somebody else answers in its place.",
    )

    public data object NotTrusted : GatewayProblem(
        "No authority that this phone trusts vouches for the gateway's certificate.",
        "Pair with the link that cetp pair shows: it carries the key of a self-signed certificate.",
    )

    public data class WrongName(val host: String) : GatewayProblem(
        "The gateway's certificate is not for $host.",
        "Use the name that the certificate was made for, or pair with the link that cetp pair shows.",
    )

    public data object Broken : GatewayProblem(
        "The connection broke off.",
        "Try again. If the gateway speaks TLS, its address begins with https://.",
    )

    public data object Redirected : GatewayProblem(
        "The gateway sends callers to another address.",
        "Type that other address; the token is not sent after a redirection.",
    )

    public data object NotAGateway : GatewayProblem(
        "Something answers there, but it is no CETP gateway.",
        "Check host and port; a gateway listens on 42617 unless told otherwise.",
    )

    /** @property status of HTTP. */
    public data class Unexpected(val status: Int) : GatewayProblem(
        "The gateway answered with status $status.",
        "Look at the gateway's log.",
    )

    public data object HostRefused : GatewayProblem(
        "The gateway does not answer under this name.",
        "Call it by its IP address, or add the name to server.allowed_hosts there.",
    )

    public data object TokenRefused : GatewayProblem("The gateway no longer knows this phone.", "Pair again.")

    public data object NotAllowed : GatewayProblem(
        "The gateway does not let this phone in.",
        "Ask its owner, or pair again.",
    )

    public data object WrongCode : GatewayProblem(
        "The code is wrong, used or expired.",
        "On the gateway's machine, cetp pair makes a new one.",
    )

    /** @property pause until codes are taken again. */
    public data class LockedOut(val pause: Duration) : GatewayProblem(
        "Too many wrong codes.",
        "Wait $pause, then use a new code from cetp pair.",
    )

    public data object AnswerLost : GatewayProblem(
        "The code was sent, but the answer was lost; the code may be used up.",
        "Make a new code with cetp pair and try again.",
    )

    /** @property ahead of the gateway's clock; negative when behind. */
    public data class ClockOff(val ahead: Duration) : GatewayProblem(
        "The phone's clock and the gateway's are ${ahead.absoluteValue} apart.",
        "Let both set their time by themselves. Certificates are judged by the phone's clock.",
    )
}
