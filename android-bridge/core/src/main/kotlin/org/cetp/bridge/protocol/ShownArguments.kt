package org.cetp.bridge.protocol

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/**
 * A call's arguments as a person reads them: JSON with a line for each value, where whatever the eye does not see, or
 * sees in another order than it stands, is written as its code.
 *
 * @property isWhole false when there was more than [LONGEST] characters; then nobody can say that they have seen it all.
 */
public data class ShownArguments(val text: String, val isWhole: Boolean) {
    override fun toString(): String = "ShownArguments(${text.length} characters)"

    public companion object {
        /** UTF-16 units that are shown. */
        public const val LONGEST: Int = 50_000

        /** Nothing is recognised on a screen that begins so far to the right. */
        private const val DEEPEST_INDENT = 12

        /** @param arguments no deeper than a frame may be. */
        public fun of(arguments: JsonObject): ShownArguments {
            val lines = StringBuilder()
            lines.value(arguments, 0)
            return ShownArguments(lines.take(LONGEST).toString(), lines.length <= LONGEST)
        }

        private fun StringBuilder.value(element: JsonElement, depth: Int) {
            if (length > LONGEST) return
            when (element) {
                is JsonPrimitive -> append(visible(element.toString()))
                is JsonArray -> block('[', ']', element, depth) { value(it, depth + 1) }
                is JsonObject -> block('{', '}', element.entries, depth) { (key, part) ->
                    append(visible(JsonPrimitive(key).toString())).append(": ")
                    value(part, depth + 1)
                }
            }
        }

        private fun <T> StringBuilder.block(
            open: Char,
            close: Char,
            parts: Collection<T>,
            depth: Int,
            part: (T) -> Unit,
        ) {
            append(open)
            parts.forEachIndexed { index, it ->
                if (index > 0) append(',')
                line(depth + 1)
                part(it)
            }
            if (parts.isNotEmpty()) line(depth)
            append(close)
        }

        private fun StringBuilder.line(depth: Int) {
            append('\n')
            repeat(depth.coerceAtMost(DEEPEST_INDENT)) { append("  ") }
        }

        private fun visible(json: String): String {
            val seen = StringBuilder(json.length)
            PlainText.forEachCharacter(json) {
                if (isUnseen(it)) seen.code(it) else seen.appendCodePoint(it)
            }
            return seen.toString()
        }

        private fun isUnseen(character: Int): Boolean = when (Character.getType(character).toByte()) {
            Character.FORMAT, Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
            Character.UNASSIGNED, Character.PRIVATE_USE, Character.SURROGATE,
            -> true
            Character.SPACE_SEPARATOR -> character != ' '.code
            else -> character in VARIATIONS || character in MORE_VARIATIONS || character in BLANK_LETTERS
        }

        /** As JSON writes a character by its code (RFC 8259 section 7), so that the text stays the same JSON. */
        private fun StringBuilder.code(character: Int) {
            Character.toChars(character).forEach { append("\\u").append(it.code.toString(16).padStart(4, '0')) }
        }

        /** Letters and marks that fonts draw as nothing. */
        private val BLANK_LETTERS = setOf(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
        private val VARIATIONS = 0xFE00..0xFE0F
        private val MORE_VARIATIONS = 0xE0100..0xE01EF
    }
}
