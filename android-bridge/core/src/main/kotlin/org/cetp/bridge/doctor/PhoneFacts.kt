package org.cetp.bridge.doctor

/**
 * What Android says of the phone and of this app at one moment; nothing is judged yet.
 *
 * @property providerApps how many apps with the CETP action the package manager shows (spec 3).
 * @property localNetwork the permission to reach addresses of the local network, which Android 17 asks for.
 * @property notifications whether this app's notifications can be seen.
 * @property batteryExempt whether the system lets this app use the network while the phone sleeps.
 * @property backgroundRestricted whether the owner or the system forbids this app to run in the background.
 */
public data class PhoneFacts(
    val providerApps: Int,
    val permission: PermissionFacts,
    val network: NetworkFacts,
    val localNetwork: Grant,
    val notifications: Grant,
    val batteryExempt: Boolean,
    val backgroundRestricted: Boolean,
)

/**
 * How it stands with the shared permission (spec 10).
 *
 * @property owner the app that defines it; null when none does.
 * @property granted whether this app holds it.
 */
public data class PermissionFacts(val owner: PermissionOwner?, val granted: Boolean)

/**
 * The one app that defines the shared permission.
 *
 * @property appName the app's name for people.
 * @property isBridge whether it is this app.
 * @property isNormal whether the protection level is `normal`, as it must be; else the system may refuse it to us.
 */
public data class PermissionOwner(
    val packageName: String,
    val appName: String,
    val isBridge: Boolean,
    val isNormal: Boolean,
)

/**
 * The network that the phone uses now.
 *
 * @property connected whether there is one at all; internet behind it is not needed.
 * @property local whether it is of a kind that leads into the house: Wi-Fi, Ethernet or a VPN.
 */
public data class NetworkFacts(val connected: Boolean, val local: Boolean)

/** A permission that only some versions of Android ask for. */
public enum class Grant {
    /** This version of Android does not ask for it. */
    NOT_NEEDED,
    GRANTED,
    MISSING,
}
