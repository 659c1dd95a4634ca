package org.cetp.bridge.app.providers

import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.Signature
import android.os.Build
import java.security.MessageDigest

/** What [currentSigner] needs to have been asked for. */
@Suppress("DEPRECATION")
internal val SIGNER_FLAGS: Int =
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
        PackageManager.GET_SIGNING_CERTIFICATES
    } else {
        PackageManager.GET_SIGNATURES
    }

/**
 * SHA-256 of the certificate that signs an app now, in hexadecimal; of all of them when several sign together. Those it
 * has replaced do not count: whoever holds an old key must not inherit what the owner allowed. Null when unsigned.
 */
internal fun currentSigner(app: PackageInfo): String? {
    val certificates = signatures(app).orEmpty().map(Signature::toByteArray)
    return when (certificates.size) {
        0 -> null
        1 -> sha256(certificates.single())
        // Their order is not fixed.
        else -> sha256(certificates.map(::sha256).sorted().joinToString("").toByteArray())
    }
}

private fun signatures(app: PackageInfo): Array<Signature>? =
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
        app.signingInfo?.apkContentsSigners
    } else {
        @Suppress("DEPRECATION")
        app.signatures
    }

private fun sha256(bytes: ByteArray): String =
    MessageDigest.getInstance("SHA-256").digest(bytes).joinToString("") { "%02x".format(it) }
