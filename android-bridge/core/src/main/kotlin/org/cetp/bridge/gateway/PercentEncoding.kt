package org.cetp.bridge.gateway

/** Every byte but RFC 3986's unreserved characters and those that are plain in a query (`:` and `/`) as `%XX`. */
internal fun encoded(text: String): String = text.encodeToByteArray().joinToString("") { byte ->
    val character = byte.toInt().toChar()
    if (byte >= 0 && character in PLAIN) character.toString() else "%%%02X".format(byte)
}

/** The reverse; null for anything that is not printable ASCII. A plus is a plus: this is no form. */
internal fun decoded(text: String): String? {
    val result = StringBuilder()
    var at = 0
    while (at < text.length) {
        val escaped = text[at] == '%'
        val character = if (escaped) escapedAt(text, at) else text[at]
        if (character == null || character !in PRINTABLE) return null
        result.append(character)
        at += if (escaped) ESCAPE_CHARS else 1
    }
    return result.toString()
}

private fun escapedAt(text: String, at: Int): Char? {
    val digits = text.substring(at + 1, minOf(at + ESCAPE_CHARS, text.length))
    return if (HEX.matches(digits)) digits.toInt(16).toChar() else null
}

private const val ESCAPE_CHARS = 3
private val HEX = Regex("[0-9A-Fa-f]{2}")
private val PRINTABLE = '!'..'~'
private val PLAIN = (('a'..'z') + ('A'..'Z') + ('0'..'9') + "-._~:/".toList()).toSet()
