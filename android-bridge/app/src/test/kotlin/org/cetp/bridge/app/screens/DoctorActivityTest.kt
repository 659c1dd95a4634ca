package org.cetp.bridge.app.screens

import android.Manifest
import android.os.Build
import android.provider.Settings
import android.view.View
import android.view.ViewGroup
import org.cetp.bridge.app.R
import org.cetp.bridge.doctor.Fix
import org.cetp.bridge.doctor.Grant
import org.cetp.bridge.doctor.Subject
import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.ProbeOutcome
import org.cetp.bridge.gateway.ProbeResult
import org.cetp.bridge.gateway.ProbeStep
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class DoctorActivityTest {
    @Test
    fun `a phone that is not paired is examined without a gateway`() = onScreen<DoctorActivity> {
        assertEquals("1 thing has to be mended.", textOf(R.id.doctor_sum))
        assertEquals("Gateway", rows().last().subject())
        assertEquals("To be mended", rows().last().textOf(R.id.check_badge))
    }

    @Test
    fun `the steps to the gateway appear as they are done`() {
        fakeParts.target.value = home
        onScreen<DoctorActivity> {
            assertEquals("Checking…", textOf(R.id.doctor_sum))
            assertEquals(Subject.entries.size, rows().size)
            assertEquals("Not tried yet.", row("2. The machine answers").textOf(R.id.check_finding))
            pass(ProbeStep.NAME, "192.168.1.5")
            pass(ProbeStep.REACH, "192.168.1.5:42617")
            assertEquals("192.168.1.5:42617", row("2. The machine answers").textOf(R.id.check_finding))
            pass(ProbeStep.TLS, "unencrypted")
            val tls = row("3. The connection is secured")
            assertEquals("Not encrypted, so there is nothing to check.", tls.textOf(R.id.check_finding))
            ProbeStep.entries.drop(3).forEach { pass(it, "") }
            assertEquals("Everything is as it should be.", textOf(R.id.doctor_sum))
        }
    }

    @Test
    fun `a failed step says what is wrong and what to do`() {
        fakeParts.target.value = home
        fakeParts.steps.tryEmit(ProbeResult(ProbeStep.TOKEN, ProbeOutcome.Failed(GatewayProblem.TokenRefused)))
        onScreen<DoctorActivity> {
            val row = row("6. It knows this phone")
            assertEquals("To be mended", row.textOf(R.id.check_badge))
            assertEquals("The gateway no longer knows this phone.\nPair again.", row.textOf(R.id.check_finding))
            row.part<View>(R.id.check_fix).performClick()
            assertEquals(PairingActivity::class.java.name, shadowOf(this).nextStartedActivity.component?.className)
        }
    }

    @Test
    fun `a check that is good has no button`() = onScreen<DoctorActivity> {
        assertFalse(row("Network").part<View>(R.id.check_fix).isSeen())
    }

    @Test
    fun `battery saving is mended on the system's own question`() {
        fakeParts.facts = goodPhone.copy(batteryExempt = false)
        onScreen<DoctorActivity> {
            row("Battery saving").part<View>(R.id.check_fix).performClick()
            val opened = shadowOf(this).nextStartedActivity
            assertEquals(Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS, opened.action)
        }
    }

    @Test
    fun `hidden notifications are mended by Android's question, or in the settings where it has none`() {
        fakeParts.facts = goodPhone.copy(notifications = Grant.MISSING)
        onScreen<DoctorActivity> {
            row("Notifications").part<View>(R.id.check_fix).performClick()
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
                val asked = shadowOf(this).lastRequestedPermission.requestedPermissions.toList()
                assertEquals(listOf(Manifest.permission.POST_NOTIFICATIONS), asked)
            } else {
                assertEquals(Settings.ACTION_APP_NOTIFICATION_SETTINGS, shadowOf(this).nextStartedActivity.action)
            }
        }
    }

    @Test
    fun `what was mended is seen when the screen is asked to check again`() {
        fakeParts.facts = goodPhone.copy(backgroundRestricted = true)
        onScreen<DoctorActivity> {
            assertEquals("To be mended", row("Running in the background").textOf(R.id.check_badge))
            fakeParts.facts = goodPhone
            touch(R.id.doctor_again)
            assertEquals("Good", row("Running in the background").textOf(R.id.check_badge))
        }
    }

    @Test
    fun `every fix leads somewhere`() = onScreen<DoctorActivity> {
        Fix.entries.forEach { assertTrue(it.name, fixIntents(this, it).isNotEmpty()) }
    }

    private fun pass(step: ProbeStep, detail: String) {
        fakeParts.steps.tryEmit(ProbeResult(step, ProbeOutcome.Passed(detail)))
        settle()
    }

    private fun DoctorActivity.rows(): List<View> =
        part<ViewGroup>(R.id.doctor_checks).let { group -> (0 until group.childCount).map { group.getChildAt(it) } }

    private fun DoctorActivity.row(subject: String) = rows().single { it.subject() == subject }

    private fun View.subject() = textOf(R.id.check_subject)
}
