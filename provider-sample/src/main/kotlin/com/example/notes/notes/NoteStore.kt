package com.example.notes.notes

import android.content.ContentValues
import android.content.Context
import android.database.Cursor
import android.database.DatabaseErrorHandler
import android.database.sqlite.SQLiteDatabase
import android.database.sqlite.SQLiteOpenHelper

/**
 * The notes in SQLite. Safe on any thread but the main one, which must not wait for it.
 *
 * All functions throw SQLiteException when the database cannot be read or written.
 */
class NoteStore(context: Context, private val now: () -> Long = System::currentTimeMillis) :
    SQLiteOpenHelper(context, FILE, null, VERSION, KeepFile) {

    init {
        // Tool calls read while the user saves.
        setWriteAheadLoggingEnabled(true)
    }

    override fun onCreate(database: SQLiteDatabase) {
        database.execSQL(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, text TEXT NOT NULL, " +
                "tags TEXT NOT NULL, changed_at INTEGER NOT NULL)",
        )
        database.execSQL("CREATE INDEX notes_by_change ON notes (changed_at DESC, id DESC)")
    }

    override fun onUpgrade(database: SQLiteDatabase, from: Int, to: Int) = Unit

    /** Add the note, or replace the one with its id. Returns the id. */
    fun save(note: Note): Long {
        val values = ContentValues().apply {
            put("title", note.title.take(Note.MAX_TITLE_CHARS))
            put("text", note.text.take(Note.MAX_TEXT_CHARS))
            put("tags", note.tags.joinToString(" ", prefix = " ", postfix = " "))
            put("changed_at", now())
        }
        if (note.id == 0L) return writableDatabase.insertOrThrow("notes", null, values)
        writableDatabase.update("notes", values, "id = ?", arrayOf(note.id.toString()))
        return note.id
    }

    /** Delete a note; no matter when there is none. */
    fun delete(id: Long) {
        writableDatabase.delete("notes", "id = ?", arrayOf(id.toString()))
    }

    /** The note, or null when there is none with this id. */
    fun find(id: Long): Note? = readableDatabase
        .query("notes", COLUMNS, "id = ?", arrayOf(id.toString()), null, null, null)
        .use { rows -> if (rows.moveToFirst()) note(rows) else null }

    /** The notes that fit, newest change first; of each text only the first [textChars] characters. */
    fun search(query: NoteQuery, textChars: Int): List<Note> {
        val where = conditions(query)
        val columns = arrayOf("id", "title", "substr(text, 1, $textChars)", "tags", "changed_at")
        return readableDatabase.query(
            "notes", columns, where.joinToString(" AND ") { it.sql }, where.flatMap { it.values }.toTypedArray(),
            null, null, "changed_at DESC, id DESC", query.limit.toString(),
        ).use { rows -> generateSequence { if (rows.moveToNext()) note(rows) else null }.toList() }
    }

    /** A part of a WHERE clause; values are bound and never part of the text. */
    private class Condition(val sql: String, vararg values: String) {
        val values = values.toList()
    }

    private fun conditions(query: NoteQuery): List<Condition> = buildList {
        add(Condition("changed_at >= ?", query.since.toString()))
        query.words.forEach { word ->
            val like = "%${escaped(word)}%"
            if (query.searchText) {
                add(Condition("(title LIKE ? $ESCAPE OR text LIKE ? $ESCAPE)", like, like))
            } else {
                add(Condition("title LIKE ? $ESCAPE", like))
            }
        }
        query.tag?.let { add(Condition("tags LIKE ? $ESCAPE", "% ${escaped(it)} %")) }
        query.after?.let { last ->
            val time = last.changedAt.toString()
            add(Condition("(changed_at < ? OR (changed_at = ? AND id < ?))", time, time, last.id.toString()))
        }
    }

    private fun escaped(word: String) = word.replace(Regex("[\\\\%_]")) { "\\" + it.value }

    private fun note(row: Cursor) = Note(
        id = row.getLong(0),
        title = row.getString(1),
        text = row.getString(2),
        tags = row.getString(3).split(' ').filter(String::isNotEmpty),
        changedAt = row.getLong(4),
    )

    /** The framework's own handler deletes a damaged file, and with it what the user wrote. */
    private object KeepFile : DatabaseErrorHandler {
        override fun onCorruption(database: SQLiteDatabase) = database.close()
    }

    private companion object {
        const val FILE = "notes.db"
        const val VERSION = 1
        const val ESCAPE = "ESCAPE '\\'"
        val COLUMNS = arrayOf("id", "title", "text", "tags", "changed_at")
    }
}
