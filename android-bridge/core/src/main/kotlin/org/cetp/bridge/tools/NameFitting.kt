package org.cetp.bridge.tools

import org.cetp.bridge.protocol.CetpContract.Names
import org.cetp.bridge.protocol.PlainText
import java.security.MessageDigest

/** How a name that is not legal is made legal (spec 8.3). Pure functions. */
public object NameFitting {
    private const val BYTE = 0xFF
    private const val HEXADECIMAL = 16
    private const val ASCII = 128
    private val LEGAL_ASCII = BooleanArray(ASCII) { Regex("[${Names.ALPHABET}]").matches(it.toChar().toString()) }
    private val LEGAL = Regex("[${Names.ALPHABET}]{1,${Names.MAX_LENGTH}}")

    /** False when no wire name can stand for this text: it is empty, or holds U+0000 or half a character. */
    public fun canBeNamed(text: String): Boolean =
        text.isNotEmpty() && '\u0000' !in text && !PlainText.hasHalfCharacter(text)

    /** Whether a wire name may be this as it is. */
    public fun isLegal(name: String): Boolean = LEGAL.matches(name)

    /**
     * A legal name: unchanged when it is one already, else its legal part and a hash of what it stands for; null when
     * it cannot be named.
     *
     * @param attempt 2, 3, … give further names, for when the one before is taken.
     */
    public fun fit(name: String, standsFor: String, attempt: Int = 1): String? = when {
        isLegal(name) -> name
        !canBeNamed(name) -> null
        else -> shortened(name, if (attempt == 1) standsFor else "$standsFor\u0000$attempt")
    }

    /** The first hexadecimal digits of a text's SHA-256. */
    internal fun hash(text: String, digits: Int): String =
        MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
            .joinToString("") { (it.toInt() and BYTE).toString(HEXADECIMAL).padStart(2, '0') }
            .take(digits)

    private fun shortened(name: String, hashed: String): String {
        val tail = "_" + hash(hashed, Names.NAME_HASH_DIGITS)
        val legal = StringBuilder(name.length)
        PlainText.forEachCharacter(name) { legal.append(if (it < ASCII && LEGAL_ASCII[it]) it.toChar() else '_') }
        return legal.take(Names.MAX_LENGTH - tail.length).toString() + tail
    }
}
