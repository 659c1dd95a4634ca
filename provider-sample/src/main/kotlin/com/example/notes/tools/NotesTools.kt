package com.example.notes.tools

import android.content.Context
import com.example.notes.cetp.CetpReply
import com.example.notes.cetp.ErrorCode
import com.example.notes.cetp.Tools
import com.example.notes.notes.NoteStore
import org.json.JSONArray
import org.json.JSONObject
import java.time.ZoneId
import java.util.Locale

/** What this app offers: its notes, to be searched and read. */
class NotesTools(context: Context) : Tools {
    private val store = NoteStore(context)
    private val search = SearchNotes(store, ZoneId::systemDefault)
    private val get = GetNote(store, ZoneId::systemDefault)

    /** No resource: the provider's part of the app is to be copied without any. */
    override val authorizeHint: String
        get() = if (Locale.getDefault().language == "zh") {
            "请打开“便签”，允许此应用读取你的便签。"
        } else {
            "Open Notes and allow this app to read your notes."
        }

    override fun list(): JSONArray = JSONArray().put(search.description()).put(get.description())

    override fun info(): JSONObject = JSONObject()
        .put("provider_name", "Notes")
        .put("description", "The notes that the user wrote on this phone.")
        .put("scopes", JSONArray().put(scope(FULL, "Titles, tags, texts")).put(scope(REDACTED, "Titles, tags")))

    override fun execute(name: String, args: JSONObject, scope: String): CetpReply = try {
        val arguments = Arguments(args)
        when (name) {
            SearchNotes.NAME -> CetpReply.Success(search.answer(arguments, scope))
            GetNote.NAME -> CetpReply.Success(get.answer(arguments, scope))
            else -> CetpReply.Error(ErrorCode.TOOL_NOT_FOUND, "There are ${SearchNotes.NAME} and ${GetNote.NAME}.")
        }
    } catch (fault: InvalidArguments) {
        CetpReply.Error(ErrorCode.INVALID_ARGS, fault.message)
    }

    private fun scope(name: String, description: String) =
        JSONObject().put("name", name).put("description", description)

    companion object {
        /** Everything. */
        const val FULL = "full"

        /** Titles and tags; the text is neither shown nor searched. */
        const val REDACTED = "redacted"
    }
}
