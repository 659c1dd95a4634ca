package org.cetp.bridge.gateway

/**
 * `cetp://pair?gateway=…&code=…[&pin=…]`: all that a phone needs to pair, to be tapped or scanned (spec 13.5).
 *
 * It holds the one-time code and never the token. Anybody can make a link, so the owner is shown [address] and asked
 * before anything is sent.
 *
 * @property pin of the gateway's key; only with an https address.
 */
public data class PairingLink(val address: GatewayAddress, val code: PairingCode, val pin: CertificatePin?) {
    /** The link as text. Secret while the code is good. */
    public fun format(): String {
        val start = "$START?gateway=${encoded(address.url)}&code=${code.text}"
        return if (pin == null) start else "$start&pin=${encoded(pin.toString())}"
    }

    override fun toString(): String = "PairingLink($address)"

    public companion object {
        private const val START = "cetp://pair"
        private const val MAX_CHARS = 2048
        private val ORIGIN = Regex("(?i)https?://[^/]+/?")
        private val NAMES = setOf("gateway", "code", "pin")

        /** Read a link from anywhere; unknown or repeated parts are refused, not passed over. */
        public fun parse(text: String): LinkResult {
            val query = queryOf(text) ?: return bad("This is no pairing link; one begins with $START?gateway=.")
            val parts = partsOf(query) ?: return bad("The pairing link has a part that is wrong, missing or repeated.")
            val gateway = parts.getValue("gateway")
            if (!ORIGIN.matches(gateway)) return bad("The pairing link's gateway is not http(s)://HOST:PORT.")
            return when (val result = GatewayAddress.parse(gateway)) {
                is AddressResult.Bad -> bad("The pairing link's gateway: ${result.problem.message}")
                is AddressResult.Good -> withSecrets(result.address, parts)
            }
        }

        private fun withSecrets(address: GatewayAddress, parts: Map<String, String>): LinkResult {
            val code = PairingCode.strict(parts.getValue("code"))
            val pin = parts["pin"]?.let(CertificatePin::parse)
            return when {
                code == null -> bad("The pairing link's code is not 12 digits.")
                "pin" in parts && pin == null -> bad("The pairing link's pin is not sha256/BASE64.")
                pin != null && !address.secure -> bad("The pairing link has a pin, but its gateway is not https.")
                else -> LinkResult.Good(PairingLink(address, code, pin))
            }
        }

        /** Scheme and host in any case, as all URIs (RFC 3986 3.1, 3.2.2). */
        private fun queryOf(text: String): String? {
            val trimmed = text.trim()
            val end = trimmed.indexOf('?')
            if (end < 0 || trimmed.length > MAX_CHARS) return null
            val start = trimmed.substring(0, end).removeSuffix("/")
            return trimmed.substring(end + 1).takeIf { start.equals(START, ignoreCase = true) }
        }

        private fun partsOf(query: String): Map<String, String>? {
            val parts = mutableMapOf<String, String>()
            for (part in query.split('&')) {
                val name = part.substringBefore('=')
                val value = decoded(part.substringAfter('=', missingDelimiterValue = "")) ?: return null
                if (name !in NAMES || value.isEmpty() || parts.put(name, value) != null) return null
            }
            return parts.takeIf { "gateway" in it && "code" in it }
        }

        private fun bad(message: String) = LinkResult.Bad(message)
    }
}

/** What became of a text that should be a pairing link. */
public sealed interface LinkResult {
    public data class Good(val link: PairingLink) : LinkResult

    /** @property message what is wrong; holds nothing of the link, which may come from anywhere. */
    public data class Bad(val message: String) : LinkResult
}
