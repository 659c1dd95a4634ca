package com.example.notes.notes

/**
 * One note as the user wrote it.
 *
 * @property id from 1; 0 before it was saved.
 * @property tags small letters, without spaces; at most [MAX_TAGS].
 * @property changedAt milliseconds since 1970.
 */
data class Note(
    val id: Long = 0,
    val title: String,
    val text: String,
    val tags: List<String> = emptyList(),
    val changedAt: Long = 0,
) {
    companion object {
        const val MAX_TITLE_CHARS = 200

        /** Keeps the whole note far below what one answer may hold (spec 12). */
        const val MAX_TEXT_CHARS = 20_000
        const val MAX_TAG_CHARS = 40
        const val MAX_TAGS = 10

        /** Tags from what somebody typed, divided by spaces or commas; what is too long or too much is left out. */
        fun tagsOf(typed: String): List<String> = typed.lowercase().split(Regex("[\\s,，、]+"))
            .filter { it.length in 1..MAX_TAG_CHARS }.distinct().take(MAX_TAGS)
    }
}
