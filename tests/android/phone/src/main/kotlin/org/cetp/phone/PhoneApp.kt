package org.cetp.phone

import android.content.ComponentName
import android.content.Intent
import org.cetp.bridge.app.BridgeApp
import org.cetp.bridge.app.settings.KeySource
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey

/**
 * The bridge's own application, on a phone that runs its services and has Java's AES in the place of the key store.
 */
class PhoneApp : BridgeApp() {
    private val services by lazy { Services() }

    override fun keySource(): KeySource = MemoryKeys()

    override fun startForegroundService(service: Intent): ComponentName? = startService(service)

    override fun startService(service: Intent): ComponentName? {
        services.start(service)
        return service.component
    }

    override fun stopService(service: Intent): Boolean {
        services.stop(checkNotNull(service.component).className)
        return true
    }
}

/** Robolectric has no key store. */
private class MemoryKeys : KeySource {
    @Volatile
    private var key: SecretKey? = null

    override fun create(): SecretKey =
        KeyGenerator.getInstance("AES").apply { init(AES_BITS) }.generateKey().also { key = it }

    override fun find(): SecretKey? = key

    override fun delete() {
        key = null
    }

    private companion object {
        const val AES_BITS = 256
    }
}
