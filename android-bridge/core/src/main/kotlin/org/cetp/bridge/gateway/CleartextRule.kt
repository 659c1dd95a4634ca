package org.cetp.bridge.gateway

import java.net.Inet4Address
import java.net.Inet6Address
import java.net.InetAddress

/**
 * Where a token may travel unencrypted: to this device, and within a private network.
 *
 * Decided twice: on what the address says, before anything is sent ([mayAsk]), and on what a name resolved to, for
 * every connection ([isPrivate], held by [PrivateDns]). A public name that resolves to a private address is refused,
 * since whoever answers for the name could move it. 100.64.0.0/10 counts as public: at a mobile carrier it is shared
 * with strangers (RFC 6598).
 */
public object CleartextRule {
    private val LOCAL_SUFFIXES = listOf(".local", ".lan", ".internal", ".home.arpa", ".localhost")

    /** May this gateway be asked without TLS? Says nothing of the address that a name resolves to. */
    public fun allows(address: GatewayAddress): Boolean = address.secure || mayAsk(address.host)

    /** @param host in the form of [GatewayAddress.host]. */
    internal fun mayAsk(host: String): Boolean {
        val literal = literalAddress(host)
        return if (literal != null) isPrivate(literal) else '.' !in host || LOCAL_SUFFIXES.any { host.endsWith(it) }
    }

    /**
     * Loopback, RFC 1918, link-local (169.254.0.0/16, fe80::/10) or unique local (fc00::/7, RFC 4193).
     */
    public fun isPrivate(address: InetAddress): Boolean = when (address) {
        is Inet4Address -> address.isLoopbackAddress || address.isSiteLocalAddress || address.isLinkLocalAddress
        is Inet6Address -> address.isLoopbackAddress || address.isLinkLocalAddress || isUniqueLocal(address)
        else -> false
    }

    private fun isUniqueLocal(address: Inet6Address) = (address.address[0].toInt() and 0xfe) == 0xfc

    /** Asks no name service: only text that is an address gets as far as the resolver. */
    private fun literalAddress(host: String): InetAddress? =
        if (':' in host || IPV4.matches(host)) InetAddress.getByName(host) else null

    private val IPV4 = Regex("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
}
