package org.cetp.bridge.app.settings

import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import java.security.GeneralSecurityException
import java.security.KeyStore
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey

/** The border to the phone's key store: one AES key, whose bytes nobody needs to see. */
interface KeySource {
    /** The key, made when there is none yet. Throws a [GeneralSecurityException] when the store does not work. */
    fun create(): SecretKey

    /** The key; null when it is gone, or the store cannot give it. */
    fun find(): SecretKey?

    /** Take the key away; the next [create] makes another one. */
    fun delete()
}

/** A key that does not leave the phone's secure hardware, where there is some. */
class AndroidKeySource(private val alias: String = "gateway token") : KeySource {
    override fun create(): SecretKey = find() ?: KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, STORE).run {
        init(
            KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .build(),
        )
        generateKey()
    }

    override fun find(): SecretKey? = try {
        store().getKey(alias, null) as? SecretKey
    } catch (_: GeneralSecurityException) {
        null
    }

    override fun delete() {
        store().deleteEntry(alias)
    }

    private fun store(): KeyStore = KeyStore.getInstance(STORE).apply { load(null) }

    private companion object {
        const val STORE = "AndroidKeyStore"
    }
}
