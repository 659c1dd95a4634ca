package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.doctor.Check
import org.cetp.bridge.doctor.CheckState
import org.cetp.bridge.doctor.Diagnosis
import org.cetp.bridge.doctor.Fix
import org.cetp.bridge.doctor.Subject

/** What is shown of one check. @property button the words of its fix; null when there is nothing to press. */
internal data class CheckView(
    val subject: Words,
    val badge: Words,
    val tone: Tone,
    val finding: Words,
    val button: Words?,
)

internal fun checkView(check: Check): CheckView = CheckView(
    subject = said(subjectText(check.subject)),
    badge = said(stateText(check.state)),
    tone = toneOf(check.state),
    finding = findingWords(check.subject, check.finding),
    button = check.fix?.let { said(fixText(it)) },
)

/** The sum of all checks, in one sentence. */
internal fun sumWords(diagnosis: Diagnosis): Words = when (diagnosis.worst) {
    CheckState.OK -> said(R.string.doctor_all_good)
    CheckState.WARNING -> Words.Counted(R.plurals.doctor_warnings, diagnosis.count(CheckState.WARNING))
    CheckState.FAILED -> Words.Counted(R.plurals.doctor_failures, diagnosis.count(CheckState.FAILED))
    CheckState.UNKNOWN -> said(R.string.doctor_checking)
}

internal fun toneOf(state: CheckState): Tone = when (state) {
    CheckState.OK -> Tone.GOOD
    CheckState.WARNING -> Tone.WARNING
    CheckState.FAILED -> Tone.BAD
    CheckState.UNKNOWN -> Tone.UNKNOWN
}

private fun stateText(state: CheckState): Int = when (state) {
    CheckState.OK -> R.string.check_ok
    CheckState.WARNING -> R.string.check_warning
    CheckState.FAILED -> R.string.check_failed
    CheckState.UNKNOWN -> R.string.check_unknown
}

private fun subjectText(subject: Subject): Int = when (subject) {
    Subject.APPS -> R.string.subject_apps
    Subject.PERMISSION -> R.string.subject_permission
    Subject.NETWORK -> R.string.subject_network
    Subject.LOCAL_NETWORK -> R.string.subject_local_network
    Subject.CLEARTEXT -> R.string.subject_cleartext
    Subject.NOTIFICATIONS -> R.string.subject_notifications
    Subject.BATTERY -> R.string.subject_battery
    Subject.BACKGROUND -> R.string.subject_background
    Subject.PAIRING -> R.string.subject_pairing
    Subject.GATEWAY_NAME -> R.string.subject_name
    Subject.GATEWAY_REACH -> R.string.subject_reach
    Subject.GATEWAY_TLS -> R.string.subject_tls
    Subject.GATEWAY_HEALTH -> R.string.subject_health
    Subject.CLOCK -> R.string.subject_clock
    Subject.GATEWAY_TOKEN -> R.string.subject_token
    Subject.GATEWAY_SOCKET -> R.string.subject_socket
}

private fun fixText(fix: Fix): Int = when (fix) {
    Fix.ALLOW_NOTIFICATIONS -> R.string.fix_notifications
    Fix.ALLOW_LOCAL_NETWORK -> R.string.fix_local_network
    Fix.EXEMPT_FROM_BATTERY -> R.string.fix_battery
    Fix.OPEN_APP_SETTINGS -> R.string.fix_app_settings
    Fix.OPEN_NETWORK_SETTINGS -> R.string.fix_network
    Fix.OPEN_DATE_SETTINGS -> R.string.fix_date
    Fix.PAIR -> R.string.fix_pair
}
