package com.example.notes.tools

import com.example.notes.notes.NoteStore
import org.json.JSONObject
import java.time.ZoneId

/** The tool `get_note`: one note with its whole text. */
class GetNote(private val store: NoteStore, private val zone: () -> ZoneId) {
    /** The entry of `list_tools`. */
    fun description(): JSONObject = JSONObject(
        """
        {
          "name": "$NAME",
          "description": "Returns one of the user's notes with its whole text. Use it when an excerpt from ${SearchNotes.NAME} is not enough.",
          "parameters": {
            "type": "object",
            "properties": {
              "id": {"type": "integer", "minimum": 1, "maximum": $MAX_ID, "description": "The id that ${SearchNotes.NAME} gave."}
            },
            "required": ["id"],
            "additionalProperties": false
          }
        }
        """,
    )

    /** Throws InvalidArguments, and SQLiteException when the notes cannot be read. */
    fun answer(arguments: Arguments, scope: String): JSONObject {
        arguments.allowOnly("id")
        val id = arguments.whole("id", 1L..MAX_ID) ?: throw InvalidArguments("id is missing; $SOURCE.")
        val note = store.find(id) ?: throw InvalidArguments("id: there is no note $id; $SOURCE.")
        return NoteJson.markRedacted(NoteJson.whole(note, scope, zone()), scope)
    }

    companion object {
        const val NAME = "get_note"
        private const val SOURCE = "${SearchNotes.NAME} gives the ids"

        /** Up to here every reader of JSON keeps whole numbers exact. */
        private const val MAX_ID = 9_007_199_254_740_991L
    }
}
