package com.example.notes.screens

import android.app.Activity
import android.content.Intent
import android.content.pm.PackageManager
import android.database.sqlite.SQLiteException
import android.os.Bundle
import android.view.View
import android.widget.Button
import android.widget.ListView
import android.widget.TextView
import android.widget.Toast
import com.example.notes.R
import com.example.notes.cetp.CallerPolicy
import com.example.notes.cetp.Cetp
import com.example.notes.notes.Note
import com.example.notes.notes.NoteQuery
import com.example.notes.notes.NoteStore
import java.util.concurrent.Executor

/** The first screen: all notes, who is asking for them, and whether anybody can. */
class NotesActivity(private val background: Executor = databaseThread) : Activity() {
    private val store by lazy { NoteStore(this) }
    private val callers by lazy { CallerPolicy(this) }

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.notes)
        keepClearOfBars(view(R.id.screen))
        view<Button>(R.id.add).setOnClickListener { startActivity(Intent(this, NoteActivity::class.java)) }
        view<Button>(R.id.callers).setOnClickListener { startActivity(Intent(this, CallersActivity::class.java)) }
        view<TextView>(R.id.asking).setOnClickListener { startActivity(Intent(this, AuthorizeActivity::class.java)) }
        view<ListView>(R.id.list).setOnItemClickListener { _, _, _, id -> startActivity(NoteActivity.open(this, id)) }
    }

    override fun onStart() {
        super.onStart()
        view<View>(R.id.permission_undefined).showIf(!isPermissionDefined())
        showAsking()
        background.execute {
            val notes = try {
                store.search(NoteQuery(limit = MAX_ROWS), EXCERPT_CHARS)
            } catch (_: SQLiteException) {
                null
            }
            runOnUiThread { if (!isDestroyed) show(notes) }
        }
    }

    override fun onDestroy() {
        background.execute(store::close)
        super.onDestroy()
    }

    private fun show(notes: List<Note>?) {
        view<ListView>(R.id.list).adapter = NoteRows(notes.orEmpty())
        view<View>(R.id.empty).showIf(notes?.isEmpty() == true)
        if (notes == null) Toast.makeText(this, R.string.failed, Toast.LENGTH_LONG).show()
    }

    private fun showAsking() {
        val asking = callers.asking()
        view<TextView>(R.id.asking).apply {
            showIf(asking.isNotEmpty())
            text = getString(R.string.asking, asking.joinToString { CallerFace.of(context, it).label })
        }
    }

    private fun isPermissionDefined(): Boolean = try {
        packageManager.getPermissionInfo(Cetp.PERMISSION, 0)
        true
    } catch (_: PackageManager.NameNotFoundException) {
        false
    }

    private companion object {
        const val MAX_ROWS = 1_000
        const val EXCERPT_CHARS = 200
    }
}
