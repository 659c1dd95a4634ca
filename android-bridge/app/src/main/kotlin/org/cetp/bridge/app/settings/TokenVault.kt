package org.cetp.bridge.app.settings

import android.content.SharedPreferences
import android.util.Base64
import java.security.GeneralSecurityException
import java.security.ProviderException
import javax.crypto.Cipher
import javax.crypto.spec.GCMParameterSpec

/** Keeps the gateway's token encrypted (AES-GCM) under a key of the phone's key store. */
class TokenVault(private val preferences: SharedPreferences, private val keys: KeySource) {
    /**
     * Keep a token in place of the one before.
     *
     * @param owner what it belongs to; it can only be read for the very same.
     * @return false when the phone's key store does not work; nothing is kept then.
     */
    fun keep(token: String, owner: String): Boolean = try {
        keys.delete()
        val cipher = Cipher.getInstance(ALGORITHM).apply { init(Cipher.ENCRYPT_MODE, keys.create()) }
        cipher.updateAAD(owner.toByteArray())
        val sealed = cipher.doFinal(token.toByteArray())
        preferences.edit().putString(NONCE, encode(cipher.iv)).putString(SEALED, encode(sealed)).commit()
    } catch (_: GeneralSecurityException) {
        false
    } catch (_: ProviderException) {
        false
    }

    /** The token; null when it cannot be had any more: its key is gone, or it is another [owner]'s. Then pair again. */
    fun read(owner: String): String? = try {
        val nonce = preferences.getString(NONCE, null)
        val sealed = preferences.getString(SEALED, null)
        val key = keys.find()
        if (nonce == null || sealed == null || key == null) {
            null
        } else {
            val cipher = Cipher.getInstance(ALGORITHM)
            cipher.init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(TAG_BITS, decode(nonce)))
            cipher.updateAAD(owner.toByteArray())
            String(cipher.doFinal(decode(sealed)))
        }
    } catch (_: GeneralSecurityException) {
        null
    } catch (_: ProviderException) {
        null
    } catch (_: IllegalArgumentException) {
        // What was kept is no Base64: somebody changed the file.
        null
    }

    /** Forget the token and the key to it. */
    fun forget() {
        preferences.edit().remove(NONCE).remove(SEALED).apply()
        try {
            keys.delete()
        } catch (_: GeneralSecurityException) {
            // The token is gone; a key to nothing does no harm.
        }
    }

    private companion object {
        const val ALGORITHM = "AES/GCM/NoPadding"
        const val TAG_BITS = 128
        const val NONCE = "token.nonce"
        const val SEALED = "token.sealed"

        fun encode(bytes: ByteArray): String = Base64.encodeToString(bytes, Base64.NO_WRAP)

        fun decode(text: String): ByteArray = Base64.decode(text, Base64.NO_WRAP)
    }
}
