package org.cetp.bridge.tools

import org.cetp.bridge.protocol.PlainText
import org.cetp.bridge.protocol.WritingWords

/**
 * Whether a tool's name says that it writes, although version 1 tools only read (spec 7.4).
 *
 * It believes words, so it is a safeguard against mistakes and not against lies.
 */
public object SaysItWrites {
    private val WORD = Regex("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

    /**
     * The word by which the name says so, or null.
     *
     * @param name the provider's own name of the tool, without any label.
     */
    public fun word(name: String): String? {
        val words = WORD.findAll(PlainText.first(name, WritingWords.MAX_CHARS)).map { it.value.lowercase() }.toList()
        val first = words.firstOrNull() ?: return null
        return when {
            first in WritingWords.READING -> null
            first in WritingWords.WRITING -> first
            words.last() in WritingWords.NOUNS -> null
            first in WritingWords.WRITING_FIRST -> first
            else -> words.last().takeIf { it in WritingWords.WRITING }
        }
    }
}
