package com.example.notes.notes

/**
 * Which notes are wanted, newest change first.
 *
 * @property words all must occur; capital or small makes no difference for A to Z.
 * @property searchText look for the words in the text as well as in the title.
 * @property since milliseconds since 1970; 0 for all.
 * @property after the last note of the page before.
 */
data class NoteQuery(
    val words: List<String> = emptyList(),
    val searchText: Boolean = true,
    val tag: String? = null,
    val since: Long = 0,
    val after: NotePosition? = null,
    val limit: Int = 20,
)

/** Where a note stands in the order; stays right when notes are added or changed between two pages. */
data class NotePosition(val changedAt: Long, val id: Long)
