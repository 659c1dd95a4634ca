package org.cetp.bridge.doctor

/** Judge what can be known without the gateway. */
internal fun phoneChecks(facts: PhoneFacts): List<Check> = listOf(
    apps(facts.providerApps),
    permission(facts.permission),
    network(facts.network),
    localNetwork(facts.localNetwork),
    notifications(facts.notifications),
    battery(facts.batteryExempt),
    background(facts.backgroundRestricted),
)

private fun apps(count: Int): Check =
    if (count > 0) {
        Check(Subject.APPS, CheckState.OK, Finding.AppsFound(count))
    } else {
        Check(Subject.APPS, CheckState.WARNING, Finding.NoAppsFound)
    }

private fun permission(facts: PermissionFacts): Check {
    val owner = facts.owner
        ?: return Check(Subject.PERMISSION, CheckState.FAILED, Finding.PermissionUndefined)
    return when {
        !facts.granted ->
            Check(Subject.PERMISSION, CheckState.FAILED, Finding.PermissionNotGranted(owner.appName))
        !owner.isNormal ->
            Check(Subject.PERMISSION, CheckState.WARNING, Finding.PermissionNotNormal(owner.appName))
        owner.isBridge -> Check(Subject.PERMISSION, CheckState.OK, Finding.PermissionIsOurs)
        else -> Check(Subject.PERMISSION, CheckState.OK, Finding.PermissionGrantedBy(owner.appName))
    }
}

private fun network(facts: NetworkFacts): Check = when {
    !facts.connected ->
        Check(Subject.NETWORK, CheckState.FAILED, Finding.NoNetwork, Fix.OPEN_NETWORK_SETTINGS)
    // A gateway may also be reachable from outside; the steps towards it tell.
    !facts.local ->
        Check(Subject.NETWORK, CheckState.WARNING, Finding.NetworkElsewhere, Fix.OPEN_NETWORK_SETTINGS)
    else -> Check(Subject.NETWORK, CheckState.OK, Finding.LocalNetworkReached)
}

private fun localNetwork(grant: Grant): Check = when (grant) {
    Grant.NOT_NEEDED -> Check(Subject.LOCAL_NETWORK, CheckState.OK, Finding.NotNeeded)
    Grant.GRANTED -> Check(Subject.LOCAL_NETWORK, CheckState.OK, Finding.Granted)
    Grant.MISSING ->
        Check(Subject.LOCAL_NETWORK, CheckState.FAILED, Finding.NotGranted, Fix.ALLOW_LOCAL_NETWORK)
}

private fun notifications(grant: Grant): Check = when (grant) {
    Grant.NOT_NEEDED, Grant.GRANTED -> Check(Subject.NOTIFICATIONS, CheckState.OK, Finding.Granted)
    // The service runs without it; what is lost are the requests to authorise it.
    Grant.MISSING ->
        Check(Subject.NOTIFICATIONS, CheckState.WARNING, Finding.NotGranted, Fix.ALLOW_NOTIFICATIONS)
}

private fun battery(exempt: Boolean): Check =
    if (exempt) {
        Check(Subject.BATTERY, CheckState.OK, Finding.BatteryExempt)
    } else {
        Check(Subject.BATTERY, CheckState.WARNING, Finding.BatteryOptimised, Fix.EXEMPT_FROM_BATTERY)
    }

private fun background(restricted: Boolean): Check =
    if (restricted) {
        Check(Subject.BACKGROUND, CheckState.FAILED, Finding.BackgroundRestricted, Fix.OPEN_APP_SETTINGS)
    } else {
        Check(Subject.BACKGROUND, CheckState.OK, Finding.BackgroundAllowed)
    }
