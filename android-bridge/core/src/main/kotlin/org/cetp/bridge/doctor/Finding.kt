package org.cetp.bridge.doctor

import org.cetp.bridge.gateway.GatewayProblem

/** What a check found, as a value; the app has the words for it in each language. */
public sealed interface Finding {
    public data class AppsFound(val count: Int) : Finding

    public data object NoAppsFound : Finding

    /** This app defines the shared permission and holds it. */
    public data object PermissionIsOurs : Finding

    /** Another app defines the shared permission, and it is granted. @property owner its name for people. */
    public data class PermissionGrantedBy(val owner: String) : Finding

    public data class PermissionNotGranted(val owner: String) : Finding

    /** It is granted, but not at the level `normal`: other bridges and later versions may not get it. */
    public data class PermissionNotNormal(val owner: String) : Finding

    /** Nobody defines the permission, so no provider can be called. */
    public data object PermissionUndefined : Finding

    public data object LocalNetworkReached : Finding

    /** The phone is on a network that does not lead into the house, mobile data most often. */
    public data object NetworkElsewhere : Finding

    public data object NoNetwork : Finding

    /** This version of Android does not ask for such a permission. */
    public data object NotNeeded : Finding

    public data object Granted : Finding

    public data object NotGranted : Finding

    public data object Encrypted : Finding

    /** Unencrypted, on a private address. */
    public data object CleartextAtHome : Finding

    public data object CleartextRefused : Finding

    public data object BatteryExempt : Finding

    public data object BatteryOptimised : Finding

    public data object BackgroundAllowed : Finding

    public data object BackgroundRestricted : Finding

    /** No gateway is known yet. */
    public data object NotPaired : Finding

    /** @property url of the gateway. */
    public data class PairedWith(val url: String) : Finding

    /** This step worked. @property detail address, version or the like, to be shown as it is; may be empty. */
    public data class StepPassed(val detail: String) : Finding

    public data class StepFailed(val problem: GatewayProblem) : Finding

    /** An earlier step failed, so this one was not tried. */
    public data object StepSkipped : Finding

    /** The step is still to come. */
    public data object StepToCome : Finding
}
