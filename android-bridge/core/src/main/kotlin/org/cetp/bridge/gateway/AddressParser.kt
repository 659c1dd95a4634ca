package org.cetp.bridge.gateway

import okhttp3.HttpUrl
import org.cetp.bridge.protocol.CetpContract

/**
 * From text to [GatewayAddress]. Whatever it does not fully understand is refused: the text may come from a link.
 *
 * Without a scheme the port is 42617 unless given, and the scheme is the one that fits the host: https for public
 * names and addresses, http for those that [CleartextRule] lets pass. With a scheme, the port is the scheme's own
 * unless given, as in every URL.
 */
internal object AddressParser {
    const val MAX_CHARS = 512

    fun parse(text: String): AddressResult {
        val typed = text.trim { it == ' ' || it == '\t' || it == '\n' || it == '\r' }
        val problem = problemOf(typed)
        if (problem != null) return AddressResult.Bad(problem)
        val (scheme, rest) = splitScheme(typed)
        if (scheme != null && scheme !in SCHEMES) return AddressResult.Bad(AddressProblem.BAD_SCHEME)
        val authority = withoutPath(rest) ?: return AddressResult.Bad(AddressProblem.HAS_PATH)
        return when (val parts = split(authority)) {
            is Parts.Bad -> AddressResult.Bad(parts.problem)
            is Parts.Good -> address(scheme, parts)
        }
    }

    private fun problemOf(typed: String): AddressProblem? = when {
        typed.isEmpty() -> AddressProblem.EMPTY
        typed.length > MAX_CHARS -> AddressProblem.TOO_LONG
        typed.any { it <= ' ' || it == '\\' || it.isISOControl() || it.isWhitespace() || it.isInvisible() } ->
            AddressProblem.BAD_CHARACTER
        '@' in typed -> AddressProblem.USER_INFO
        else -> null
    }

    /** Text that looks like another address than it is. */
    private fun Char.isInvisible() = category == CharCategory.FORMAT || isSurrogate()

    private fun splitScheme(typed: String): Pair<String?, String> {
        val end = typed.indexOf("://")
        return if (end < 0) null to typed else typed.substring(0, end).lowercase() to typed.substring(end + 3)
    }

    /** The socket's own path may stand there: it is what other clients are given. */
    private fun withoutPath(rest: String): String? {
        if ('?' in rest || '#' in rest) return null
        val authority = rest.substringBefore('/')
        val path = rest.removePrefix(authority).trimEnd('/')
        return authority.takeIf { path.isEmpty() || path == CetpContract.Gateway.PATH }
    }

    private fun split(authority: String): Parts = when {
        '%' in authority -> Parts.Bad(AddressProblem.BAD_ZONE)
        authority.startsWith("[") -> splitBracketed(authority)
        // An IPv6 address as people copy it; a port cannot be told from its last group, so it has none.
        authority.count { it == ':' } > 1 -> Parts.Good("[$authority]", null)
        else -> withPort(authority.substringBefore(':'), authority.substringAfter(':', missingDelimiterValue = "none"))
    }

    private fun splitBracketed(authority: String): Parts {
        val host = authority.substringBefore(']', missingDelimiterValue = "") + "]"
        val rest = authority.removePrefix(host)
        return when {
            host.length < MIN_BRACKETED || ':' !in host -> Parts.Bad(AddressProblem.BAD_HOST)
            rest.isEmpty() -> Parts.Good(host, null)
            rest.startsWith(":") -> withPort(host, rest.drop(1))
            else -> Parts.Bad(AddressProblem.BAD_HOST)
        }
    }

    private fun withPort(host: String, port: String): Parts {
        if (port == "none") return Parts.Good(host, null)
        val number = port.takeIf { it.length <= PORT_DIGITS && it.all { digit -> digit in '0'..'9' } }?.toIntOrNull()
        return if (number in PORTS) Parts.Good(host, number) else Parts.Bad(AddressProblem.BAD_PORT)
    }

    private fun address(scheme: String?, parts: Parts.Good): AddressResult {
        val host = canonicalHost(parts.host) ?: return AddressResult.Bad(AddressProblem.BAD_HOST)
        if (host == "0.0.0.0" || host == "::") return AddressResult.Bad(AddressProblem.NOT_A_DESTINATION)
        val secure = if (scheme == null) !CleartextRule.mayAsk(host) else scheme == "https" || scheme == "wss"
        val ownPort = when {
            scheme == null -> CetpContract.Gateway.PORT
            secure -> HttpUrl.defaultPort("https")
            else -> HttpUrl.defaultPort("http")
        }
        return AddressResult.Good(GatewayAddress(secure, host, parts.port ?: ownPort))
    }

    private fun canonicalHost(host: String): String? = try {
        HttpUrl.Builder().scheme("http").host(host).build().host.trimEnd('.').takeIf(::isHost)
    } catch (_: IllegalArgumentException) {
        null
    }

    private fun isHost(host: String): Boolean {
        val labels = host.split('.')
        return when {
            ':' in host -> true
            labels.any { !LABEL.matches(it) } -> false
            // Systems disagree about numbers such as 127.1 or 0x7f000001: four decimal parts or none.
            NUMBER.matches(labels.last()) -> labels.size == IPV4_PARTS && labels.all(::isOctet)
            else -> true
        }
    }

    private fun isOctet(label: String): Boolean =
        OCTET.matches(label) && label.toInt() <= MAX_OCTET

    private sealed interface Parts {
        data class Good(val host: String, val port: Int?) : Parts

        data class Bad(val problem: AddressProblem) : Parts
    }

    private val SCHEMES = setOf("http", "https", "ws", "wss")
    private val LABEL = Regex("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
    private val NUMBER = Regex("[0-9]+|0x[0-9a-f]*")
    private val OCTET = Regex("0|[1-9][0-9]{0,2}")
    private val PORTS = 1..65535
    private const val PORT_DIGITS = 5
    private const val MIN_BRACKETED = 4
    private const val IPV4_PARTS = 4
    private const val MAX_OCTET = 255
}
