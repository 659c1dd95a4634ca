package org.cetp.bridge.doctor

/**
 * One precondition with its state.
 *
 * @property fix what a button beside it does; null when there is nothing to press.
 */
public data class Check(
    val subject: Subject,
    val state: CheckState,
    val finding: Finding,
    val fix: Fix? = null,
)

/** What a check is about, in the order in which they are shown. */
public enum class Subject {
    APPS,
    PERMISSION,
    NETWORK,
    LOCAL_NETWORK,
    CLEARTEXT,
    NOTIFICATIONS,
    BATTERY,
    BACKGROUND,

    /** A gateway is known. */
    PAIRING,

    /** From here on the way to the gateway, as `GatewayProbe` goes it. */
    GATEWAY_NAME,
    GATEWAY_REACH,
    GATEWAY_TLS,
    GATEWAY_HEALTH,
    CLOCK,
    GATEWAY_TOKEN,
    GATEWAY_SOCKET,
}

/** How a check came out. */
public enum class CheckState {
    OK,

    /** It works, but may stop or be worse than it could. */
    WARNING,

    /** The bridge cannot work like this. */
    FAILED,

    /** It could not be looked at, most often because an earlier check failed. */
    UNKNOWN,
}

/** What can be done about a check; the app opens the screen that belongs to it. */
public enum class Fix {
    /** Ask for the permission to show notifications, or open the settings where it is given. */
    ALLOW_NOTIFICATIONS,

    /** Ask for the permission to reach the local network. */
    ALLOW_LOCAL_NETWORK,

    /** Ask the system to leave this app's network alone while the phone sleeps. */
    EXEMPT_FROM_BATTERY,

    /** The system's page of this app, where background use is allowed. */
    OPEN_APP_SETTINGS,
    OPEN_NETWORK_SETTINGS,
    OPEN_DATE_SETTINGS,

    /** This app's pairing screen. */
    PAIR,
}
