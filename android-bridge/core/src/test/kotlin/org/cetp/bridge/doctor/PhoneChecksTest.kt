package org.cetp.bridge.doctor

import org.junit.Assert.assertEquals
import org.junit.Test

class PhoneChecksTest {
    @Test
    fun `a phone that is set up has nothing to mend`() {
        val checks = checksOf(goodPhone)
        assertEquals(emptyList<Check>(), checks.filter { it.state != CheckState.OK || it.fix != null })
    }

    @Test
    fun `no app with tools is a warning`() {
        assertEquals(
            Check(Subject.APPS, CheckState.WARNING, Finding.NoAppsFound),
            check(Subject.APPS, goodPhone.copy(providerApps = 0)),
        )
    }

    @Test
    fun `the permission is good whoever defines it, and its owner is named`() {
        assertEquals(Finding.PermissionIsOurs, check(Subject.PERMISSION, goodPhone).finding)
        val other = check(Subject.PERMISSION, withOwner(owner.copy(isBridge = false, appName = "ClawSeed")))
        assertEquals(Check(Subject.PERMISSION, CheckState.OK, Finding.PermissionGrantedBy("ClawSeed")), other)
    }

    @Test
    fun `a permission that nobody defines fails, even if the system calls it granted`() {
        val facts = goodPhone.copy(permission = PermissionFacts(owner = null, granted = true))
        assertEquals(
            Check(Subject.PERMISSION, CheckState.FAILED, Finding.PermissionUndefined),
            check(Subject.PERMISSION, facts),
        )
    }

    @Test
    fun `a permission that is defined but not granted fails and names its owner`() {
        val facts = goodPhone.copy(permission = PermissionFacts(owner.copy(appName = "ClawSeed"), granted = false))
        assertEquals(
            Check(Subject.PERMISSION, CheckState.FAILED, Finding.PermissionNotGranted("ClawSeed")),
            check(Subject.PERMISSION, facts),
        )
    }

    @Test
    fun `a permission of another level than normal is a warning while it is granted`() {
        val check = check(Subject.PERMISSION, withOwner(owner.copy(isNormal = false)))
        assertEquals(Check(Subject.PERMISSION, CheckState.WARNING, Finding.PermissionNotNormal("CETP Bridge")), check)
    }

    @Test
    fun `without a network the bridge cannot work`() {
        assertEquals(
            Check(Subject.NETWORK, CheckState.FAILED, Finding.NoNetwork, Fix.OPEN_NETWORK_SETTINGS),
            check(Subject.NETWORK, goodPhone.copy(network = NetworkFacts(connected = false, local = false))),
        )
    }

    @Test
    fun `mobile data alone is a warning, since a gateway may be reachable from outside`() {
        assertEquals(
            Check(Subject.NETWORK, CheckState.WARNING, Finding.NetworkElsewhere, Fix.OPEN_NETWORK_SETTINGS),
            check(Subject.NETWORK, goodPhone.copy(network = NetworkFacts(connected = true, local = false))),
        )
    }

    @Test
    fun `the local network's permission is asked for only where Android has it`() {
        assertEquals(
            Check(Subject.LOCAL_NETWORK, CheckState.FAILED, Finding.NotGranted, Fix.ALLOW_LOCAL_NETWORK),
            check(Subject.LOCAL_NETWORK, goodPhone.copy(localNetwork = Grant.MISSING)),
        )
        assertEquals(
            Check(Subject.LOCAL_NETWORK, CheckState.OK, Finding.NotNeeded),
            check(Subject.LOCAL_NETWORK, goodPhone.copy(localNetwork = Grant.NOT_NEEDED)),
        )
        assertEquals(
            Check(Subject.LOCAL_NETWORK, CheckState.OK, Finding.Granted),
            check(Subject.LOCAL_NETWORK, goodPhone.copy(localNetwork = Grant.GRANTED)),
        )
    }

    @Test
    fun `hidden notifications and battery saving are warnings, forbidden background use is a failure`() {
        assertEquals(
            Check(Subject.NOTIFICATIONS, CheckState.WARNING, Finding.NotGranted, Fix.ALLOW_NOTIFICATIONS),
            check(Subject.NOTIFICATIONS, goodPhone.copy(notifications = Grant.MISSING)),
        )
        assertEquals(
            Check(Subject.BATTERY, CheckState.WARNING, Finding.BatteryOptimised, Fix.EXEMPT_FROM_BATTERY),
            check(Subject.BATTERY, goodPhone.copy(batteryExempt = false)),
        )
        assertEquals(
            Check(Subject.BACKGROUND, CheckState.FAILED, Finding.BackgroundRestricted, Fix.OPEN_APP_SETTINGS),
            check(Subject.BACKGROUND, goodPhone.copy(backgroundRestricted = true)),
        )
    }

    private fun withOwner(owner: PermissionOwner) = goodPhone.copy(permission = PermissionFacts(owner, granted = true))

    private fun checksOf(facts: PhoneFacts) =
        Diagnosis.of(facts, target = null, probed = emptyList()).checks.filter { it.subject != Subject.PAIRING }

    private fun check(subject: Subject, facts: PhoneFacts) = checksOf(facts).single { it.subject == subject }
}
