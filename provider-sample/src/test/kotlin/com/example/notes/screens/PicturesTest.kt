package com.example.notes.screens

import android.app.Activity
import android.content.Intent
import android.graphics.Bitmap
import android.graphics.Canvas
import android.graphics.Color
import com.example.notes.cetp.Decision
import com.example.notes.fakes.Phone
import com.example.notes.notes.Note
import com.example.notes.notes.NoteStore
import com.example.notes.tools.NotesTools
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.android.controller.ActivityController
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import java.io.File
import java.util.concurrent.Executor

private const val SMALL = "w360dp-h740dp-xhdpi"

/** Draws every screen in every look; with `-Dpictures=FOLDER` the pictures are kept. */
@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(qualifiers = SMALL)
class PicturesTest {
    private val phone by lazy { Phone() }

    @Test
    fun `light screens are bright`() = assertTrue(draw("light").all { brightness(it) > 180 })

    @Test
    @Config(qualifiers = "w360dp-h740dp-night-xhdpi")
    fun `dark screens are dark`() = assertTrue(draw("dark").all { brightness(it) < 80 })

    @Test
    @Config(qualifiers = "zh-rCN-$SMALL")
    fun `screens can be drawn in Chinese`() = assertTrue(draw("chinese").all { brightness(it) > 180 })

    @Test
    fun `screens can be drawn in the largest font`() {
        RuntimeEnvironment.setFontScale(2f)
        assertTrue(draw("large").all { brightness(it) > 180 })
    }

    private fun draw(look: String): List<Bitmap> {
        val store = NoteStore(phone.context, phone.clock::get)
        val dentist = Note(title = "Dentist", text = "Thursday at nine, bring the x-ray", tags = listOf("health"))
        val id = store.save(dentist)
        store.save(Note(title = "购物清单", text = "牛奶、面包", tags = listOf("home")))
        val reader = phone.install("com.example.reader", 10_105, "reader's certificate", label = "Reader")
        phone.callers.decide(reader, Decision.Allowed(NotesTools.REDACTED, Phone.START + 86_400_000))
        phone.callers.decide(phone.install("com.example.other", 10_106, "other's", label = "Other"), Decision.Refused)
        phone.install("org.cetp.bridge", Phone.BRIDGE, "bridge's certificate", label = "Bridge")
        phone.execute(Phone.BRIDGE, "search_notes")
        val here = Executor(Runnable::run)
        return listOf(
            picture("$look-notes", NotesActivity(here)),
            picture("$look-note", NoteActivity(here), NoteActivity.open(phone.context, id)),
            picture("$look-authorize", AuthorizeActivity(phone.clock::get)),
            picture("$look-callers", CallersActivity(phone.clock::get)),
        )
    }

    private fun picture(name: String, activity: Activity, intent: Intent = Intent()): Bitmap {
        intent.setClass(phone.context, activity.javaClass)
        val view = ActivityController.of(activity, intent).setup().visible().get().window.decorView
        return Bitmap.createBitmap(view.width, view.height, Bitmap.Config.ARGB_8888).also { picture ->
            view.draw(Canvas(picture))
            val folder = System.getProperty("pictures") ?: return@also
            val file = File(folder, "${RuntimeEnvironment.getApiLevel()}-$name.png").apply { parentFile?.mkdirs() }
            file.outputStream().use { picture.compress(Bitmap.CompressFormat.PNG, 100, it) }
        }
    }

    /** Mean over a grid, 0 to 255. */
    private fun brightness(picture: Bitmap): Double {
        val rows = (0 until picture.height step 7)
        val points = (0 until picture.width step 7).flatMap { x -> rows.map { y -> picture.getPixel(x, y) } }
        return points.map { (Color.red(it) + Color.green(it) + Color.blue(it)) / 3.0 }.average()
    }
}
