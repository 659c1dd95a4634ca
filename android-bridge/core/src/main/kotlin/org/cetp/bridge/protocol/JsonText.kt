package org.cetp.bridge.protocol

import java.util.BitSet

/**
 * Whether a text is JSON (RFC 8259), without building anything of it.
 *
 * The parser of kotlinx-serialization takes words without quotes and other things that are no JSON, and calls itself
 * for each level of lists. Here a level costs one bit and no stack, so that no nesting can overflow it.
 */
internal class JsonText private constructor(private val text: String, private val maxDepth: Int) {
    private var at = 0

    /** The text without what lies too deep, as far as [copied]. */
    private val kept = StringBuilder()
    private var copied = 0

    /** Open objects and lists, innermost last: whether each is an object. */
    private val open = BitSet()
    private var depth = 0

    private fun isWhole(): Boolean {
        var expectsValue = true
        while (true) {
            skipBlanks()
            expectsValue = (if (expectsValue) value() else afterValue()) ?: return false
            if (!expectsValue && depth == 0) break
        }
        skipBlanks()
        return at == text.length
    }

    /** Read what may begin a value: true when another one must follow, false when one has ended, null when wrong. */
    private fun value(): Boolean? = when (peek()) {
        '{' -> enter(isObject = true)
        '[' -> enter(isObject = false)
        '"' -> ended(string())
        't' -> ended(word("true"))
        'f' -> ended(word("false"))
        'n' -> ended(word("null"))
        else -> ended(number())
    }

    private fun enter(isObject: Boolean): Boolean? {
        open[depth++] = isObject
        at++
        if (depth - 1 == maxDepth) kept.append(text, copied, at)
        skipBlanks()
        return when {
            take(if (isObject) '}' else ']') -> leave()
            isObject -> key()
            else -> true
        }
    }

    /** Read what may stand behind a value inside an object or a list. */
    private fun afterValue(): Boolean? {
        val isObject = open[depth - 1]
        return when {
            take(if (isObject) '}' else ']') -> leave()
            !take(',') -> null
            isObject -> key()
            else -> true
        }
    }

    private fun leave(): Boolean {
        depth--
        if (depth == maxDepth) copied = at - 1
        return false
    }

    private fun key(): Boolean? {
        skipBlanks()
        if (!string()) return null
        skipBlanks()
        return if (take(':')) true else null
    }

    private fun ended(well: Boolean): Boolean? = if (well) false else null

    private fun string(): Boolean {
        if (!take('"')) return false
        while (at < text.length) {
            val character = text[at++]
            when {
                character == '"' -> return true
                character == '\\' -> if (!escape()) return false
                character < ' ' -> return false
            }
        }
        return false
    }

    private fun escape(): Boolean = when (next()) {
        '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> true
        'u' -> (1..HEX_DIGITS).all { next()?.let(::isHexDigit) == true }
        else -> false
    }

    private fun number(): Boolean {
        take('-')
        if (!take('0') && !digits()) return false
        if (take('.') && !digits()) return false
        if (take('e') || take('E')) {
            if (!take('+')) take('-')
            return digits()
        }
        return true
    }

    private fun digits(): Boolean {
        val start = at
        while (peek() in '0'..'9') at++
        return at > start
    }

    private fun word(word: String): Boolean = text.startsWith(word, at).also { at += word.length }

    private fun skipBlanks() {
        while (at < text.length && text[at] in BLANKS) at++
    }

    private fun take(character: Char): Boolean = (peek() == character).also { if (it) at++ }

    private fun next(): Char? = if (at < text.length) text[at++] else null

    /** U+0000 at the end, which is no part of JSON outside of strings. */
    private fun peek(): Char = if (at < text.length) text[at] else '\u0000'

    companion object {
        private const val HEX_DIGITS = 4
        private const val BLANKS = " \t\r\n"

        /** Whether all of the text is one JSON value, however deep. */
        fun isJson(text: String): Boolean = JsonText(text, Int.MAX_VALUE).isWhole()

        /** The text if it is JSON, with every object and list below so many levels emptied; null when it is not. */
        fun shallow(text: String, maxDepth: Int): String? = JsonText(text, maxDepth).run {
            if (!isWhole()) {
                null
            } else if (copied == 0) {
                text
            } else {
                kept.append(text, copied, text.length).toString()
            }
        }

        private fun isHexDigit(character: Char): Boolean =
            character in '0'..'9' || character in 'a'..'f' || character in 'A'..'F'
    }
}
