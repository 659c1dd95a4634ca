package org.cetp.bridge.doctor

/** The bridge as the owner of the permission. */
internal val owner = PermissionOwner("org.cetp.bridge", "CETP Bridge", isBridge = true, isNormal = true)

/** A phone on which nothing is wrong. */
internal val goodPhone = PhoneFacts(
    providerApps = 2,
    permission = PermissionFacts(owner, granted = true),
    network = NetworkFacts(connected = true, local = true),
    localNetwork = Grant.GRANTED,
    notifications = Grant.GRANTED,
    batteryExempt = true,
    backgroundRestricted = false,
)
