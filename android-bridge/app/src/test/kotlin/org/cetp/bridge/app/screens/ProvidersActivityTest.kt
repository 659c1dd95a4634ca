package org.cetp.bridge.app.screens

import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.Switch
import org.cetp.bridge.app.R
import org.cetp.bridge.tools.Consent
import org.cetp.bridge.tools.ProviderProblem
import org.cetp.bridge.tools.ProviderState
import org.cetp.bridge.tools.ToolStanding
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class ProvidersActivityTest {
    private val bridge get() = fakeParts.bridge

    @Test
    fun `a phone without such apps is told so, and looks again when asked`() = onScreen<ProvidersActivity> {
        assertTrue(textOf(R.id.providers_about).orEmpty().startsWith("No app with tools"))
        touch(R.id.providers_rescan)
        assertEquals(listOf("rescan"), bridge.wishes)
    }

    @Test
    fun `the switch of an app is the owner's decision, and only a touch is one`() {
        bridge.providers.value = listOf(notes, weather)
        onScreen<ProvidersActivity> {
            assertEquals(listOf(true, false), cards().map { it.part<Switch>(R.id.provider_allow).isChecked })
            cards()[1].part<Switch>(R.id.provider_allow).performClick()
            assertEquals(listOf("allow org.example.weather true"), bridge.wishes)
            val turned = listOf(notes.copy(consent = Consent.REFUSED), weather.copy(consent = Consent.ALLOWED))
            bridge.providers.value = turned
            settle()
            assertEquals(listOf(false, true), cards().map { it.part<Switch>(R.id.provider_allow).isChecked })
            assertEquals(listOf("allow org.example.weather true"), bridge.wishes)
        }
    }

    @Test
    fun `an app's card sums up what becomes of its tools and leads to its page`() {
        bridge.providers.value = listOf(notes)
        onScreen<ProvidersActivity> {
            val card = cards().single()
            assertEquals("On", card.textOf(R.id.provider_badge))
            assertEquals(
                "2 tools are offered to the gateway.\n1 waits for you: it says that it writes.\n" +
                    "1 is held by the gateway.\n1 cannot be used.",
                card.textOf(R.id.provider_detail),
            )
            card.part<View>(R.id.provider_open).performClick()
            val opened = shadowOf(this).nextStartedActivity
            assertEquals(notes.packageName, opened.getStringExtra(ProviderActivity.PACKAGE))
        }
    }

    @Test
    fun `each problem has its word, its remedy and its reason`() {
        val problems = listOf(
            ProviderProblem.BadManifest("r1") to "Does not keep to CETP",
            ProviderProblem.UnknownVersion("r2") to "Unknown version",
            ProviderProblem.NotPermitted("r3") to "No permission",
            ProviderProblem.NotReached("r4") to "Cannot be reached",
            ProviderProblem.BadAnswer("r5") to "Does not keep to CETP",
        )
        bridge.providers.value = problems.map { (it, _) -> bank.copy(packageName = it.detail, problem = it) }
        onScreen<ProvidersActivity> {
            cards().zip(problems).forEach { (card, expected) ->
                assertEquals(expected.second, card.textOf(R.id.provider_badge))
                assertTrue(card.textOf(R.id.provider_detail).orEmpty().endsWith("\nReason: ${expected.first.detail}"))
            }
        }
    }

    @Test
    fun `an app whose signer has changed is off and says why`() {
        bridge.providers.value = listOf(notes.copy(consent = Consent.SIGNER_CHANGED, tools = emptyList()))
        onScreen<ProvidersActivity> {
            val card = cards().single()
            assertFalse(card.part<Switch>(R.id.provider_allow).isChecked)
            assertEquals("Signed by somebody else", card.textOf(R.id.provider_badge))
        }
    }

    @Test
    fun `an app's page shows each tool with its standing and reason`() = onPage(notes) {
        assertEquals("Notes", textOf(R.id.title))
        val about = "Finds and reads the notes on this phone.\n• titles: The titles of all notes"
        assertEquals(about, textOf(R.id.provider_info))
        val badges = tools().map { it.textOf(R.id.tool_badge) }
        assertEquals(
            listOf("Offered", "Offered", "Says that it writes", "Held by the gateway", "Cannot be used"),
            badges,
        )
        assertEquals("Reason: its schema refers to a file", tools()[3].textOf(R.id.tool_reason))
        assertEquals("Reason: it has no description", tools()[4].textOf(R.id.tool_reason))
    }

    @Test
    fun `a tool that says it writes has a switch of its own, and what reads has none`() = onPage(notes) {
        val withSwitch = tools().filter { it.part<Switch>(R.id.tool_allow).isSeen() }
        assertEquals(listOf("delete_note"), withSwitch.map { it.textOf(R.id.tool_name) })
        tools()[2].part<Switch>(R.id.tool_allow).performClick()
        assertEquals(listOf("allowTool com.example.notes delete_note true"), bridge.wishes)
    }

    @Test
    fun `a writing tool that was allowed can be forbidden again`() =
        onPage(notes.copy(tools = listOf(tool("delete_note", "Deletes a note.", ToolStanding.Offered)))) {
            val switch = tools().single().part<Switch>(R.id.tool_allow)
            assertTrue(switch.isSeen() && switch.isChecked)
            switch.performClick()
            assertEquals(listOf("allowTool com.example.notes delete_note false"), bridge.wishes)
        }

    @Test
    fun `the page closes when its app is removed`() = onPage(notes) {
        bridge.providers.value = emptyList()
        settle()
        assertTrue(isFinishing)
    }

    @Test
    fun `an app that was not asked shows no tools and says that the gateway does not see it`() = onPage(weather) {
        assertNull(textOf(R.id.provider_tools_title))
        assertEquals("The gateway does not see this app until you switch it on.", textOf(R.id.provider_detail))
    }

    @Test
    fun `names of an app are shown without control and direction characters`() {
        bridge.providers.value = listOf(weather.copy(appName = "Bank\u202Egnp\u0000\u200B"))
        onScreen<ProvidersActivity> { assertEquals("Bankgnp", cards().single().textOf(R.id.provider_allow)) }
    }

    private fun onPage(provider: ProviderState, look: ProviderActivity.() -> Unit) {
        bridge.providers.value = listOf(provider)
        onScreen<ProviderActivity>(Intent().putExtra(ProviderActivity.PACKAGE, provider.packageName), look)
    }

    private fun ProvidersActivity.cards(): List<View> = children(part(R.id.providers_list))

    private fun ProviderActivity.tools(): List<View> = children(part(R.id.provider_tools))

    private fun children(group: ViewGroup) = (0 until group.childCount).map { group.getChildAt(it) }
}
