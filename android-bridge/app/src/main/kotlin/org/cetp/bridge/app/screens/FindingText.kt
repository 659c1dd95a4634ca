package org.cetp.bridge.app.screens

import org.cetp.bridge.app.R
import org.cetp.bridge.doctor.Finding
import org.cetp.bridge.doctor.Subject

/** What a check found, and what to do about it. @param subject some findings say another thing of another subject. */
internal fun findingWords(subject: Subject, finding: Finding): Words = when (finding) {
    is Finding.AppsFound -> Words.Counted(R.plurals.finding_apps, finding.count)
    Finding.NoAppsFound -> said(R.string.finding_no_apps)
    Finding.PermissionIsOurs -> said(R.string.finding_permission_ours)
    is Finding.PermissionGrantedBy -> said(R.string.finding_permission_of, plain(finding.owner))
    is Finding.PermissionNotGranted -> said(R.string.finding_permission_not_granted, plain(finding.owner))
    is Finding.PermissionNotNormal -> said(R.string.finding_permission_not_normal, plain(finding.owner))
    Finding.PermissionUndefined -> said(R.string.finding_permission_undefined)
    Finding.LocalNetworkReached -> said(R.string.finding_network)
    Finding.NetworkElsewhere -> said(R.string.finding_network_elsewhere)
    Finding.NoNetwork -> said(R.string.finding_no_network)
    Finding.NotNeeded -> said(R.string.finding_not_needed)
    Finding.Granted -> said(R.string.finding_granted)
    Finding.NotGranted -> said(notGranted(subject))
    Finding.Encrypted -> said(R.string.finding_encrypted)
    Finding.CleartextAtHome -> said(R.string.finding_cleartext_home)
    Finding.CleartextRefused -> said(R.string.finding_cleartext_refused)
    Finding.BatteryExempt -> said(R.string.finding_battery_exempt)
    Finding.BatteryOptimised -> said(R.string.finding_battery_optimised)
    Finding.BackgroundAllowed -> said(R.string.finding_background)
    Finding.BackgroundRestricted -> said(R.string.finding_background_restricted)
    Finding.NotPaired -> said(R.string.finding_not_paired)
    is Finding.PairedWith -> plain(finding.url)
    is Finding.StepPassed -> passed(subject, finding.detail)
    is Finding.StepFailed -> problemText(finding.problem).let { lines(it.what, it.nextStep) }
    Finding.StepSkipped -> said(R.string.finding_skipped)
    Finding.StepToCome -> said(R.string.finding_to_come)
}

private fun notGranted(subject: Subject): Int =
    when (subject) {
        Subject.LOCAL_NETWORK -> R.string.finding_local_network_missing
        else -> R.string.finding_notifications_missing
    }

/** The probe's detail is an address, a version or empty; only for TLS can it be a word, which is then said here. */
private fun passed(subject: Subject, detail: String): Words = when {
    subject == Subject.GATEWAY_TLS && !detail.startsWith("TLS") -> said(R.string.finding_no_tls)
    detail.isEmpty() -> said(R.string.finding_passed)
    else -> plain(detail)
}
