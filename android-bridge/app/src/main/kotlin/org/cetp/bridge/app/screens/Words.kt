package org.cetp.bridge.app.screens

import android.content.res.Resources

/** Words that are chosen without a screen, so that the choice can be tested, and said in the phone's language. */
internal sealed interface Words {
    /** A string resource; arguments that are [Words] themselves are said first. */
    data class Said(val id: Int, val arguments: List<Any> = emptyList()) : Words

    /** A plural resource. */
    data class Counted(val id: Int, val count: Int) : Words

    /** Text of an app, the gateway or the system, cleaned by [plain]. */
    data class Plain(val text: String) : Words

    /** Several sentences, one after the other. */
    data class Lines(val parts: List<Words>) : Words
}

internal fun said(id: Int, vararg arguments: Any): Words = Words.Said(id, arguments.toList())

internal fun lines(vararg parts: Words?): Words = Words.Lines(parts.filterNotNull())

/** Foreign text as it may be shown: no control characters, nothing that turns the direction of writing, not endless. */
internal fun plain(text: String): Words = Words.Plain(shown(text))

/** See [plain]. Line breaks stay. */
internal fun shown(text: String, maxChars: Int = MAX_SHOWN): String {
    val clean = text.take(maxChars).filter { it == '\n' || !(it.isISOControl() || it.category == CharCategory.FORMAT) }
    return if (text.length > maxChars) "$clean…" else clean
}

internal fun Resources.say(words: Words): String = when (words) {
    is Words.Said -> getString(words.id, *words.arguments.map { if (it is Words) say(it) else it }.toTypedArray())
    is Words.Counted -> getQuantityString(words.id, words.count, words.count)
    is Words.Plain -> words.text
    is Words.Lines -> words.parts.joinToString("\n") { say(it) }
}

private const val MAX_SHOWN = 600
