package org.cetp.bridge.tools

/**
 * An app that declares itself a provider, judged by its manifest alone.
 *
 * @property appName for people, one line.
 * @property signer SHA-256 of the app's signing certificate.
 */
public data class FoundProvider(
    val packageName: String,
    val appName: String,
    val appVersion: String,
    val signer: String,
    val manifest: Manifest,
) {
    /** Whether the manifest lets its provider be called. */
    public sealed interface Manifest {
        public data class Sound(val address: ProviderAddress) : Manifest

        public data class Unsound(val problem: ProviderProblem) : Manifest
    }

    /** Where it can be called; null when its manifest is not as it must be. */
    public val address: ProviderAddress?
        get() = when (manifest) {
            is Manifest.Sound -> manifest.address
            is Manifest.Unsound -> null
        }
}
