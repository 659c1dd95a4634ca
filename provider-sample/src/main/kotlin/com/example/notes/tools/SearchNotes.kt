package com.example.notes.tools

import com.example.notes.notes.Note
import com.example.notes.notes.NotePosition
import com.example.notes.notes.NoteQuery
import com.example.notes.notes.NoteStore
import org.json.JSONArray
import org.json.JSONObject
import java.time.ZoneId

/** The tool `search_notes`: notes by words, tag and time, in pages. */
class SearchNotes(private val store: NoteStore, private val zone: () -> ZoneId) {
    /** The entry of `list_tools`. */
    fun description(): JSONObject = JSONObject(
        """
        {
          "name": "$NAME",
          "description": "Finds the user's own notes, newest change first: id, title, tags, time of the last change and the first $EXCERPT_CHARS characters of each. Use it for questions about what the user wrote down; when there is a next_page, pass it as page to go on.",
          "parameters": {
            "type": "object",
            "properties": {
              "words": {"type": "string", "maxLength": $MAX_WORDS_CHARS, "description": "Words that must all occur, with spaces between. Leave out for all notes."},
              "tag": {"type": "string", "maxLength": ${Note.MAX_TAG_CHARS}, "description": "Only notes with this tag."},
              "since": {"type": "string", "maxLength": ${Moments.MAX_CHARS}, "description": "Only notes changed at or after this day (2026-01-31) or time (2026-01-31T08:00:00+01:00)."},
              "limit": {"type": "integer", "minimum": 1, "maximum": $MAX_LIMIT, "description": "Notes in one answer; $DEFAULT_LIMIT when left out."},
              "page": {"type": "string", "maxLength": $MAX_PAGE_CHARS, "description": "The next_page of the answer before, with the other arguments unchanged."}
            },
            "additionalProperties": false
          }
        }
        """,
    )

    /** Throws InvalidArguments, and SQLiteException when the notes cannot be read. */
    fun answer(arguments: Arguments, scope: String): JSONObject {
        arguments.allowOnly("words", "tag", "since", "limit", "page")
        val limit = arguments.whole("limit", 1L..MAX_LIMIT)?.toInt() ?: DEFAULT_LIMIT
        val query = NoteQuery(
            words = words(arguments),
            // Whoever may not read the texts must not find out by searching what they say.
            searchText = scope == NotesTools.FULL,
            tag = arguments.text("tag", Note.MAX_TAG_CHARS)?.lowercase(),
            since = arguments.text("since", Moments.MAX_CHARS)?.let { Moments.read("since", it, zone()) } ?: 0,
            after = arguments.text("page", MAX_PAGE_CHARS)?.let(::position),
            limit = limit + 1,
        )
        val found = store.search(query, EXCERPT_CHARS)
        return page(found.take(limit), more = found.size > limit, scope)
    }

    private fun words(arguments: Arguments): List<String> {
        val words = arguments.text("words", MAX_WORDS_CHARS)?.split(Regex("\\s+")).orEmpty()
        if (words.size > MAX_WORDS) throw InvalidArguments("words has more than $MAX_WORDS words.")
        return words
    }

    private fun page(notes: List<Note>, more: Boolean, scope: String): JSONObject {
        val items = notes.fold(JSONArray()) { list, note -> list.put(NoteJson.excerpt(note, scope, zone())) }
        val answer = NoteJson.markRedacted(JSONObject().put("notes", items), scope)
        return if (more) answer.put("next_page", notes.last().run { "$changedAt-$id" }) else answer
    }

    private fun position(page: String): NotePosition {
        val (time, id) = PAGE.matchEntire(page)?.destructured
            ?: throw InvalidArguments("page must be the next_page of the answer before.")
        return NotePosition(time.toLong(), id.toLong())
    }

    companion object {
        const val NAME = "search_notes"
        const val MAX_LIMIT = 50
        const val DEFAULT_LIMIT = 20
        private const val EXCERPT_CHARS = 200
        private const val MAX_WORDS_CHARS = 200
        private const val MAX_WORDS = 10
        private const val MAX_PAGE_CHARS = 40
        private val PAGE = Regex("([0-9]{1,15})-([0-9]{1,15})")
    }
}
