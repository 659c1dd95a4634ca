package org.cetp.bridge.protocol

/** Checks and repairs of text that another app wrote. Characters are Unicode code points. */
internal object PlainText {
    private const val REPLACEMENT = 0xFFFD

    /** Controls that turn the direction of writing, by which a text can pretend to be another. */
    private val DIRECTIONS = (0x202A..0x202E).toSet() + (0x2066..0x2069) + listOf(0x200E, 0x200F, 0x061C)

    /** Whether it holds an unpaired surrogate, for which UTF-8 has no form. */
    fun hasHalfCharacter(text: String): Boolean {
        forEachCharacter(text) { if (isHalf(it)) return true }
        return false
    }

    /** The first characters of a text; never cuts one in two. */
    fun first(text: String, characters: Int): String = when {
        text.length <= characters || text.codePointCount(0, text.length) <= characters -> text
        else -> text.substring(0, text.offsetByCodePoints(0, characters))
    }

    /** For one line on a screen: no controls, no line breaks, no turned direction, at most so many characters. */
    fun line(text: String, characters: Int): String =
        mapped(first(text, characters)) { it.visible() }.trim()

    /** For models and people: lines and tabs stay, other controls become blanks; at most so many characters. */
    fun paragraph(text: String, characters: Int): String = mapped(first(text, characters)) {
        if (it == '\n'.code || it == '\t'.code) it else it.whole()
    }

    private fun Int.visible(): Int = if (this in DIRECTIONS) ' '.code else whole()

    private fun Int.whole(): Int = when {
        isHalf(this) -> REPLACEMENT
        Character.isISOControl(this) -> ' '.code
        else -> this
    }

    private inline fun mapped(text: String, change: (Int) -> Int): String {
        val result = StringBuilder(text.length)
        forEachCharacter(text) { result.appendCodePoint(change(it)) }
        return result.toString()
    }

    /** An unpaired surrogate counts as a character of its own. */
    inline fun forEachCharacter(text: String, action: (Int) -> Unit) {
        var at = 0
        while (at < text.length) {
            val character = text.codePointAt(at)
            action(character)
            at += Character.charCount(character)
        }
    }

    private fun isHalf(character: Int): Boolean = character in 0xD800..0xDFFF
}
