package org.cetp.bridge.app.fakes

import org.cetp.bridge.app.settings.KeySource
import java.security.KeyStoreException
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey

/** Java's own AES keys in place of the phone's key store, which there is none of outside a phone. */
class PlainKeys : KeySource {
    private var key: SecretKey? = null

    /** Whether the store refuses everything. */
    var isBroken = false

    override fun create(): SecretKey {
        if (isBroken) throw KeyStoreException("broken")
        return key ?: KeyGenerator.getInstance("AES").apply { init(BITS) }.generateKey().also { key = it }
    }

    override fun find(): SecretKey? = key

    override fun delete() {
        key = null
    }

    private companion object {
        const val BITS = 256
    }
}
