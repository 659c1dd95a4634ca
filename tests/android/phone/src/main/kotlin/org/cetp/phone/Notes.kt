package org.cetp.phone

import android.content.Context
import android.content.ContextWrapper
import android.view.ContextThemeWrapper
import android.widget.Button
import android.widget.RadioGroup
import android.widget.TextView
import com.example.notes.R
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import com.example.notes.screens.AuthorizeActivity
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import org.robolectric.Robolectric
import org.robolectric.util.ReflectionHelpers

/** The sample app, seen by its user. @param context its own. */
class Notes(private val context: Context) {
    /** Write a note. */
    suspend fun write(title: String, text: String) = withContext(Dispatchers.IO) {
        NoteStore(context).use { it.save(Note(title = title, text = text)) }
    }

    /** Open its own screen, choose all that the notes hold, and allow it; the question that the screen asked. */
    suspend fun authorize(): JsonElement = onMain {
        val opened = Robolectric.buildActivity(AuthorizeActivity::class.java)
        opened.get().liveIn(context)
        val screen = opened.setup().get()
        screen.findViewById<RadioGroup>(R.id.scope).check(R.id.scope_full)
        val asked = screen.findViewById<TextView>(R.id.question).text.toString()
        screen.findViewById<Button>(R.id.allow).performClick()
        check(screen.isFinishing) { "the screen stayed open" }
        opened.pause().stop().destroy()
        JsonPrimitive(asked)
    }

    /** Robolectric opens every screen in the app under test; this one has resources and files of its own. */
    private fun ContextThemeWrapper.liveIn(app: Context) {
        ReflectionHelpers.setField(ContextWrapper::class.java, this, "mBase", app)
        listOf("mResources", "mTheme", "mInflater").forEach {
            ReflectionHelpers.setField(ContextThemeWrapper::class.java, this, it, null)
        }
        setTheme(R.style.Notes)
    }
}
