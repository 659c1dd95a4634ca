package org.cetp.bridge.app.screens

import android.app.Activity
import android.content.Intent
import android.net.Uri
import android.os.SystemClock
import android.view.View
import android.view.ViewGroup
import android.widget.ListView
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.R
import org.cetp.bridge.doctor.Grant
import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.ProbeOutcome
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.gateway.ProbeStep
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.RequestKey
import org.junit.After
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.ParameterizedRobolectricTestRunner
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import java.util.TimeZone

/** Draws each screen, light and dark, in English and Chinese; the pictures of the documentation are among them. */
@RunWith(ParameterizedRobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(sdk = [34], application = FakeParts::class)
class PicturesTest(private val look: String, private val qualifiers: String) {
    private val parts by lazy { RuntimeEnvironment.getApplication() as FakeParts }

    @Before
    fun atGreenwich() {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"))
    }

    @After
    fun backHome() {
        TimeZone.setDefault(null)
    }

    @Test
    fun `every screen can be drawn, and shows more than its ground`() {
        RuntimeEnvironment.setQualifiers(qualifiers)
        prepare()
        draw<StatusActivity>("status")
        parts.bridge.status.value = waiting
        draw<StatusActivity>("waiting")
        parts.bridge.status.value = connected
        draw<ProvidersActivity>("apps")
        draw<ProviderActivity>("app", Intent().putExtra(ProviderActivity.PACKAGE, notes.packageName))
        draw<CallsActivity>("calls") { showArguments(row = 2) }
        parts.bridge.requests.value = PersonRequests(listOf(wantsToWrite(), wantsToKnow()))
        draw<RequestsActivity>("requests")
        draw<ApprovalActivity>("approval", opening("a1", RequestKey.Kind.APPROVAL))
        draw<QuestionActivity>("question", opening("q1", RequestKey.Kind.QUESTION)) { choose(option = 0) }
        draw<PairingActivity>("pairing")
        draw<PairingActivity>("link", Intent(Intent.ACTION_VIEW, Uri.parse(LINK)))
        draw<DoctorActivity>("doctor")
    }

    private val connected = BridgeStatus.Connected(tools = 14, held = 1)

    private fun prepare() {
        parts.target.value = home
        parts.bridge.status.value = connected
        parts.bridge.providers.value = listOf(bank, notes, weather)
        SystemClock.setCurrentTimeMillis(MORNING)
        parts.bridge.calls.value = callsOfAMorning(MORNING)
        parts.facts = goodPhone.copy(batteryExempt = false, notifications = Grant.MISSING)
        val passed = listOf(
            ProbeStep.NAME to "192.168.1.5",
            ProbeStep.REACH to "192.168.1.5:42617",
            ProbeStep.TLS to "unencrypted",
        )
        passed.forEach { (step, detail) -> parts.steps.tryEmit(ProbeResult(step, ProbeOutcome.Passed(detail))) }
        parts.steps.tryEmit(ProbeResult(ProbeStep.HEALTH, ProbeOutcome.Failed(GatewayProblem.NotAGateway)))
        ProbeStep.entries.drop(passed.size + 1).forEach { parts.steps.tryEmit(ProbeResult(it, ProbeOutcome.Skipped)) }
    }

    private fun opening(id: String, kind: RequestKey.Kind) =
        RequestScreen.opening(RuntimeEnvironment.getApplication(), RequestKey(kind, id))

    private fun QuestionActivity.choose(option: Int) {
        part<ViewGroup>(R.id.question_options).getChildAt(option).performClick()
    }

    private fun CallsActivity.showArguments(row: Int) {
        part<ListView>(R.id.calls_list).getChildAt(row).part<View>(R.id.call_head).performClick()
    }

    private inline fun <reified T : Activity> draw(name: String, intent: Intent? = null, touch: T.() -> Unit = {}) {
        Robolectric.buildActivity(T::class.java, intent).use { controller ->
            val screen = controller.setup().get()
            screen.touch()
            val bitmap = screen.picture("$name-$look")
            val colours = (0 until bitmap.height step 7).map { bitmap.getPixel(bitmap.width / 3, it) }.toSet()
            assertTrue("$name shows ${colours.size} colours", colours.size > 3)
        }
    }

    companion object {
        /** In a time zone that is set, so that the pictures are the same everywhere. */
        private const val MORNING = 1_796_030_040_000L

        private const val LINK =
            "cetp://pair?gateway=https%3A%2F%2Fbox.home.arpa%3A42617&code=1234-5678-9012" +
                "&pin=sha256%2FLCa0a2j%2Fxo%2F5m0U8HTBBNBNCLXBkg7%2Bg%2BYpeiGJm564%3D"

        @JvmStatic
        @ParameterizedRobolectricTestRunner.Parameters(name = "{0}")
        fun looks(): List<Array<Any>> = listOf(
            arrayOf("light", "en-rGB-w411dp-h891dp-notnight-hdpi"),
            arrayOf("dark", "en-rGB-w411dp-h891dp-night-hdpi"),
            arrayOf("zh", "zh-rCN-w411dp-h891dp-notnight-hdpi"),
        )
    }
}
