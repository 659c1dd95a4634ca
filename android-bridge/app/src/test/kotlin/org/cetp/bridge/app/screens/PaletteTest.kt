package org.cetp.bridge.app.screens

import android.content.Context
import android.graphics.Color
import org.cetp.bridge.app.R
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import kotlin.math.max
import kotlin.math.min

/** Contrasts as WCAG 2.1 counts them (1.4.3, 1.4.11). */
@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class PaletteTest {
    private val context: Context get() = RuntimeEnvironment.getApplication()

    @Test
    @Config(qualifiers = "notnight")
    fun `by day all texts can be read on their grounds`() = assertReadable()

    @Test
    @Config(qualifiers = "night")
    fun `by night all texts can be read on their grounds`() = assertReadable()

    private fun assertReadable() {
        val states = Tone.entries.map { it.ink to it.ground }
        val texts = listOf(R.color.text, R.color.text_quiet, R.color.accent, R.color.bad)
        val plain = texts.flatMap { text -> listOf(text to R.color.card, text to R.color.surface) }
        val buttons = listOf(R.color.on_accent to R.color.accent, R.color.on_disabled to R.color.disabled)
        val fields = listOf(R.color.text to R.color.field, R.color.text_quiet to R.color.field)
        val weak = (states + plain + buttons + fields).filter { (ink, ground) -> contrast(ink, ground) < TEXT }
        assertEquals(emptyList<String>(), weak.map { (ink, ground) -> "${name(ink)} on ${name(ground)}" })
        val edges = listOf(R.color.edge to R.color.card, R.color.accent to R.color.card)
        assertEquals(emptyList<String>(), edges.filter { contrast(it.first, it.second) < EDGE }.map { name(it.first) })
    }

    private fun contrast(ink: Int, ground: Int): Double {
        val one = Color.luminance(context.getColor(ink)) + 0.05
        val other = Color.luminance(context.getColor(ground)) + 0.05
        return max(one, other) / min(one, other)
    }

    private fun name(colour: Int) = context.resources.getResourceEntryName(colour)

    private companion object {
        const val TEXT = 4.5
        const val EDGE = 3.0
    }
}
