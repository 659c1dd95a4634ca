package com.example.notes.tools

import com.example.notes.notes.Note
import org.json.JSONArray
import org.json.JSONObject
import java.time.ZoneId

/** Notes as the tools answer them. Only with the whole grant is there a text; otherwise `null` stands in its place. */
object NoteJson {
    private const val REDACTED = "The user lets this app see titles and tags only; texts are masked and not searched."

    /** For lists: [note] holds no more text than is to be shown. */
    fun excerpt(note: Note, scope: String, zone: ZoneId): JSONObject =
        head(note, zone).put("excerpt", text(note, scope))

    /** For a single note. */
    fun whole(note: Note, scope: String, zone: ZoneId): JSONObject =
        head(note, zone).put("text", text(note, scope))

    /** Say so when texts are masked, so that an agent does not take the notes for empty. */
    fun markRedacted(answer: JSONObject, scope: String): JSONObject =
        if (scope == NotesTools.FULL) answer else answer.put("redacted", REDACTED)

    private fun head(note: Note, zone: ZoneId) = JSONObject()
        .put("id", note.id)
        .put("title", note.title)
        .put("tags", JSONArray(note.tags))
        .put("changed_at", Moments.write(note.changedAt, zone))

    private fun text(note: Note, scope: String): Any = if (scope == NotesTools.FULL) note.text else JSONObject.NULL
}
