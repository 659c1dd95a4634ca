package org.cetp.bridge.gateway

/**
 * Where a gateway answers, in normal form; made by [AddressParser].
 *
 * @property secure TLS is spoken there.
 * @property host a name in lower case (punycode), an IPv4 or an IPv6 address without brackets.
 */
@ConsistentCopyVisibility
public data class GatewayAddress internal constructor(val secure: Boolean, val host: String, val port: Int) {
    /** `http://` or `https://` with host and port, always spelled out, no path (spec 13.5). */
    val url: String get() = "${if (secure) "https" else "http"}://$authority"

    /** The same for a WebSocket. */
    val socketUrl: String get() = "${if (secure) "wss" else "ws"}://$authority"

    private val authority: String get() = "${if (':' in host) "[$host]" else host}:$port"

    override fun toString(): String = url

    public companion object {
        /** Read what a person typed, or a link says. */
        public fun parse(text: String): AddressResult = AddressParser.parse(text)
    }
}

/** What became of a text that should be an address. */
public sealed interface AddressResult {
    public data class Good(val address: GatewayAddress) : AddressResult

    /** The text names no gateway. */
    public data class Bad(val problem: AddressProblem) : AddressResult
}

/** What is wrong with an address, in words that name the next step. */
public enum class AddressProblem(public val message: String) {
    EMPTY("Type the gateway's address, such as 192.168.1.5:42617 or https://box.example.org."),
    TOO_LONG("An address has at most ${AddressParser.MAX_CHARS} characters."),
    BAD_CHARACTER("The address holds a blank or a character that no address can have."),
    BAD_SCHEME("An address begins with http://, https://, ws:// or wss://, or with the host's name."),
    USER_INFO("The address holds an @. A name or password does not belong there; the code is entered apart."),
    HAS_PATH("The address has something behind the port. Only the host and its port are wanted."),
    BAD_HOST("This is no name of a host and no IP address."),
    BAD_ZONE("An address with a zone (%) cannot be used. Take another address of the gateway, or its name."),
    NOT_A_DESTINATION("A gateway listens on 0.0.0.0 or [::] but is not reached there. Type its machine's own address."),
    BAD_PORT("A port is a number from 1 to 65535."),
}
