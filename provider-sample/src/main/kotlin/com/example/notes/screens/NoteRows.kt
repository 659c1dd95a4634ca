package com.example.notes.screens

import android.view.LayoutInflater
import android.view.View
import android.view.ViewGroup
import android.widget.BaseAdapter
import android.widget.TextView
import com.example.notes.R
import com.example.notes.notes.Note

/** The rows of the list of notes; the id of a row is that of its note. */
internal class NoteRows(private val notes: List<Note>) : BaseAdapter() {
    override fun getCount(): Int = notes.size
    override fun getItem(position: Int): Note = notes[position]
    override fun getItemId(position: Int): Long = notes[position].id
    override fun hasStableIds(): Boolean = true

    override fun getView(position: Int, recycled: View?, parent: ViewGroup): View {
        val row = recycled ?: LayoutInflater.from(parent.context).inflate(R.layout.note_row, parent, false)
        val note = notes[position]
        row.view<TextView>(R.id.title).text = note.title.ifBlank { parent.context.getString(R.string.untitled) }
        row.view<TextView>(R.id.excerpt).apply {
            text = (note.tags.map { "#$it" } + note.text.trim()).filter(String::isNotEmpty).joinToString(" ")
            showIf(text.isNotEmpty())
        }
        return row
    }
}
