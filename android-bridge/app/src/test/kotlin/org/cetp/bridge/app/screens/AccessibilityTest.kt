package org.cetp.bridge.app.screens

import android.app.Activity
import android.content.Intent
import android.net.Uri
import android.os.Build
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.ImageView
import android.widget.ListView
import android.widget.ScrollView
import android.widget.TextView
import org.cetp.bridge.app.R
import org.cetp.bridge.app.service.Refusal
import org.cetp.bridge.doctor.Grant
import org.cetp.bridge.person.PersonRequests
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode

/** What people who do not see the screen, see it large or hold it across can rely on; with letters as wide as they are. */
@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(application = FakeParts::class, qualifiers = "w411dp-h891dp")
class AccessibilityTest {
    @Before
    fun aFullPhone() {
        fakeParts.target.value = home
        fakeParts.bridge.status.value = waiting
        fakeParts.bridge.providers.value = listOf(bank, notes, weather)
        fakeParts.bridge.calls.value = callsOfAMorning(now = 1_796_030_040_000L)
        fakeParts.bridge.requests.value = PersonRequests(listOf(wantsToWrite(), wantsToKnow()))
        fakeParts.refusal.value = Refusal.BACKGROUND
        fakeParts.facts = goodPhone.copy(batteryExempt = false, notifications = Grant.MISSING)
    }

    @Test
    fun `whatever can be touched is at least 48 dp wide and high`() = onEveryScreen { screen ->
        val least = (48 * screen.resources.displayMetrics.density).toInt()
        val small = screen.touchable().filter { it.width < least || it.height < least }
        assertEquals(emptyList<String>(), small.map { it.describe() })
    }

    @Test
    fun `whatever can be touched has a name`() = onEveryScreen { screen ->
        val nameless = screen.touchable().filter { spoken(it).isBlank() && it !is EditText }
        assertEquals(emptyList<String>(), nameless.map { it.describe() })
    }

    @Test
    fun `each field has a label that points to it`() = onEveryScreen { screen ->
        val labels = screen.views().map { it.labelFor }
        val fields = screen.views().filterIsInstance<EditText>()
        assertEquals(emptyList<String>(), fields.filter { it.id !in labels }.map { it.describe() })
    }

    @Test
    fun `pictures have a name or are passed over, since words beside them say the same`() = onEveryScreen { screen ->
        val silent = screen.views().filterIsInstance<ImageView>().filter { it.contentDescription.isNullOrBlank() }
        val heard = silent.filter { it.importantForAccessibility != View.IMPORTANT_FOR_ACCESSIBILITY_NO }
        assertEquals(emptyList<String>(), heard.map { it.describe() })
    }

    @Test
    fun `each screen has a title that is a heading`() = onEveryScreen { screen ->
        assumeTrue("headings came with Android 9", Build.VERSION.SDK_INT >= Build.VERSION_CODES.P)
        assertTrue(screen.findViewById<View>(R.id.title).isAccessibilityHeading)
        assertEquals(screen.title.toString(), screen.textOf(R.id.title))
    }

    @Test
    fun `with letters of twice the size no text is cut`() {
        RuntimeEnvironment.setFontScale(2f)
        onEveryScreen { screen -> assertEquals(emptyList<String>(), screen.cutTexts()) }
    }

    @Test
    @Config(qualifiers = "w320dp-h480dp")
    fun `on a small phone with large letters no text is cut`() {
        RuntimeEnvironment.setFontScale(1.5f)
        onEveryScreen { screen -> assertEquals(emptyList<String>(), screen.cutTexts()) }
    }

    @Test
    @Config(qualifiers = "w891dp-h411dp-land")
    fun `across, every screen scrolls and nothing is wider than the window`() = onEveryScreen { screen ->
        assertTrue(screen.views().any { it is ScrollView || it is ListView })
        val width = screen.window.decorView.width
        assertEquals(emptyList<String>(), screen.views().filter { it.width > width }.map { it.describe() })
    }

    @Test
    @Config(qualifiers = "ar-ldrtl")
    fun `where writing runs to the left the screens are laid out so`() = onEveryScreen { screen ->
        assertEquals(View.LAYOUT_DIRECTION_RTL, screen.findViewById<View>(R.id.page).layoutDirection)
    }

    private fun onEveryScreen(look: (Activity) -> Unit) {
        onScreen<StatusActivity> { look(this) }
        onScreen<ProvidersActivity> { look(this) }
        onScreen<ProviderActivity>(Intent().putExtra(ProviderActivity.PACKAGE, notes.packageName)) { look(this) }
        onScreen<CallsActivity> { look(this) }
        onScreen<PairingActivity> { look(this) }
        onScreen<PairingActivity>(Intent(Intent.ACTION_VIEW, Uri.parse(LINK))) { look(this) }
        onScreen<DoctorActivity> { look(this) }
        onScreen<RequestsActivity> { look(this) }
        val app = RuntimeEnvironment.getApplication()
        val requests = fakeParts.bridge.requests.value.open
        onScreen<ApprovalActivity>(RequestScreen.opening(app, requests.first().key)) { look(this) }
        onScreen<QuestionActivity>(RequestScreen.opening(app, requests.last().key)) { look(this) }
    }

    private fun Activity.views() = findViewById<View>(R.id.page).seen()

    private fun Activity.touchable() = views().filter { it.isClickable }

    /** A text is cut when its view is lower than its lines or a line ends in dots. */
    private fun Activity.cutTexts(): List<String> =
        views().filterIsInstance<TextView>().filter { it !is EditText && it.isCut() }.map { it.describe() }

    private fun TextView.isCut(): Boolean {
        val lines = layout ?: return true
        val room = height - compoundPaddingTop - compoundPaddingBottom
        val dots = (0 until lines.lineCount).any { lines.getEllipsisCount(it) > 0 }
        return dots || lines.height > room || bottom > (parent as View).height || hasSplitWord()
    }

    /** Names of packages, tools and addresses are split where the line ends; words of a sentence must not be. */
    private fun TextView.hasSplitWord(): Boolean {
        val room = width - compoundPaddingLeft - compoundPaddingRight
        return text.split(' ', '\n').any { word -> word.all { it.isLetter() } && paint.measureText(word) > room }
    }

    /** What TalkBack says of a view: its own name, or the texts in it. */
    private fun spoken(view: View): String =
        view.contentDescription?.toString() ?: (view as? TextView)?.text?.toString() ?: spokenWithin(view)

    private fun spokenWithin(view: View) =
        (view as? ViewGroup)?.seen().orEmpty().filterIsInstance<TextView>().joinToString(" ") { it.text }

    private fun View.describe() = resources.getResourceEntryName(id) + " " + spoken(this) + " ${width}x$height"

    private companion object {
        const val LINK = "cetp://pair?gateway=http%3A%2F%2F192.168.1.5%3A42617&code=1234-5678-9012"
    }
}
