package com.example.notes.screens

import android.app.Activity
import android.app.AlertDialog
import android.content.Context
import android.content.Intent
import android.database.sqlite.SQLiteException
import android.os.Bundle
import android.text.InputFilter
import android.view.View
import android.widget.Button
import android.widget.EditText
import android.widget.Toast
import com.example.notes.R
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import java.util.concurrent.Executor

/** Write, change or delete one note. */
class NoteActivity(private val background: Executor = databaseThread) : Activity() {
    private val store by lazy { NoteStore(this) }
    private val noteId by lazy { intent.getLongExtra(ID, 0) }
    private val titleField by lazy { view<EditText>(R.id.title) }
    private val tagsField by lazy { view<EditText>(R.id.tags) }
    private val textField by lazy { view<EditText>(R.id.text) }

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.note)
        keepClearOfBars(view(R.id.screen))
        titleField.filters = arrayOf(InputFilter.LengthFilter(Note.MAX_TITLE_CHARS))
        textField.filters = arrayOf(InputFilter.LengthFilter(Note.MAX_TEXT_CHARS))
        view<Button>(R.id.save).setOnClickListener { save() }
        view<Button>(R.id.delete).apply {
            showIf(noteId != 0L)
            setOnClickListener { confirmDelete() }
        }
        // After a rotation the fields hold what was typed already.
        if (noteId != 0L && state == null) onStore({ find(noteId) }) { note -> note?.let(::fill) }
    }

    override fun onDestroy() {
        background.execute(store::close)
        super.onDestroy()
    }

    private fun fill(note: Note) {
        titleField.setText(note.title)
        tagsField.setText(note.tags.joinToString(" "))
        textField.setText(note.text)
    }

    private fun save() {
        val tags = Note.tagsOf(tagsField.text.toString())
        val note = Note(noteId, titleField.text.toString().trim(), textField.text.toString(), tags)
        onStore({ save(note) }) { finish() }
    }

    private fun confirmDelete() {
        AlertDialog.Builder(this)
            .setMessage(R.string.delete_question)
            .setPositiveButton(R.string.delete) { _, _ -> onStore({ delete(noteId) }) { finish() } }
            .setNegativeButton(R.string.cancel, null)
            .show()
    }

    /** Do [work] off the main thread, then [done] here unless the screen is gone; when it fails, say so and stay. */
    private fun <T> onStore(work: NoteStore.() -> T, done: (T) -> Unit) = background.execute {
        val show = try {
            val result = store.work()
            ({ done(result) })
        } catch (_: SQLiteException) {
            ({ Toast.makeText(this, R.string.failed, Toast.LENGTH_LONG).show() })
        }
        runOnUiThread { if (!isDestroyed) show() }
    }

    companion object {
        private const val ID = "id"

        /** Opens the note with this id. */
        fun open(context: Context, id: Long): Intent = Intent(context, NoteActivity::class.java).putExtra(ID, id)
    }
}
