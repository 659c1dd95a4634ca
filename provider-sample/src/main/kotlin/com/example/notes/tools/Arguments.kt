package com.example.notes.tools

import org.json.JSONObject

/** The arguments of one call, read by name. `null` counts as left out; each fault names the argument and its limit. */
class Arguments(private val json: JSONObject) {
    /** Throws when there is an argument that the tool does not have. */
    fun allowOnly(vararg names: String) {
        val unknown = json.keys().asSequence().firstOrNull { it !in names } ?: return
        val known = names.joinToString()
        throw InvalidArguments("There is no argument \"${unknown.take(SHOWN_CHARS)}\"; there are $known.")
    }

    /** Text of at most [maxChars] characters, or null when left out or blank. */
    fun text(name: String, maxChars: Int): String? {
        val value = value(name) ?: return null
        if (value !is String) throw InvalidArguments("$name must be text.")
        if (value.length > maxChars) throw InvalidArguments("$name has more than $maxChars characters.")
        return value.trim().ifEmpty { null }
    }

    /** A whole number within [range], or null when left out. */
    fun whole(name: String, range: LongRange): Long? {
        val value = value(name) ?: return null
        val whole = (value as? Number)?.toLong()?.takeIf { value.toDouble() == it.toDouble() && it in range }
        return whole ?: throw InvalidArguments("$name must be a whole number from ${range.first} to ${range.last}.")
    }

    private fun value(name: String): Any? = json.opt(name).takeUnless { it == JSONObject.NULL }

    private companion object {
        const val SHOWN_CHARS = 40
    }
}

/** The arguments do not fit the tool's schema; the message is for the agent, which can mend them. */
class InvalidArguments(override val message: String) : Exception(message)
