package org.cetp.bridge.gateway

/** A one-time code, as `1234-5678-9012`. Not shown by [toString]: until it has been used it opens the gateway. */
public class PairingCode private constructor(internal val text: String) {
    override fun equals(other: Any?): Boolean = other is PairingCode && other.text == text

    override fun hashCode(): Int = text.hashCode()

    override fun toString(): String = "PairingCode"

    public companion object {
        private const val DIGITS = 12
        private const val GROUP = 4

        /** What a person typed: twelve digits of any script, with or without hyphens and blanks; null for the rest. */
        public fun typed(text: String): PairingCode? {
            val bare = text.filterNot { it == '-' || it == '－' || it.isWhitespace() }
            val digits = bare.mapNotNull { it.digitToIntOrNull() }
            return if (bare.length == DIGITS && digits.size == DIGITS) grouped(digits.joinToString("")) else null
        }

        /** What a link says: ASCII digits, in groups of four or in one; null for the rest (spec 13.5). */
        internal fun strict(text: String): PairingCode? =
            if (FORM.matches(text)) grouped(text.replace("-", "")) else null

        private fun grouped(digits: String) = PairingCode(digits.chunked(GROUP).joinToString("-"))

        private val FORM = Regex("[0-9]{4}-[0-9]{4}-[0-9]{4}|[0-9]{12}")
    }
}
