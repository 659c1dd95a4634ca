package org.cetp.bridge.tools

/**
 * What an app's manifest says of one service with the CETP action, as the package manager returned it (spec 3).
 *
 * Values are as they were found: whether they are right is decided in [Discovery].
 *
 * @property appName the app's name for people, in the phone's language.
 * @property appVersion the app's own version name.
 * @property metaData the service's meta-data with resources resolved: a string, an integer or what else was written.
 * @property authority the ContentProvider that the package manager finds for the named authority; null when none.
 * @property signer SHA-256 of the app's signing certificate, in hexadecimal.
 */
public data class ServiceEntry(
    val packageName: String,
    val serviceName: String,
    val exported: Boolean,
    val appName: String,
    val appVersion: String,
    val metaData: Map<String, Any?>,
    val authority: AuthorityEntry?,
    val signer: String,
)

/**
 * The ContentProvider behind an authority, as the package manager returned it.
 *
 * @property permission what a caller needs; null when nothing is needed.
 */
public data class AuthorityEntry(
    val packageName: String,
    val authorities: List<String>,
    val exported: Boolean,
    val permission: String?,
    val enabled: Boolean,
)
