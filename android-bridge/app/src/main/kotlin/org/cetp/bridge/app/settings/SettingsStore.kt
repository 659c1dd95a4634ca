package org.cetp.bridge.app.settings

import android.content.SharedPreferences
import org.cetp.bridge.gateway.GatewayTarget
import java.util.UUID

/**
 * What the owner has set: the gateway, and whether to be connected. May be used from any thread; reading the token asks
 * the key store, which may take some ten milliseconds.
 *
 * @param model the phone's name for people until the owner gives another.
 */
class SettingsStore(
    private val preferences: SharedPreferences,
    private val vault: TokenVault,
    private val model: String,
) {
    /** Whether the owner wants to be connected; outlives restarts of the phone. */
    var wished: Boolean
        get() = preferences.getBoolean(WISHED, false)
        set(value) = preferences.edit().putBoolean(WISHED, value).apply()

    /** Whether the owner wants to be asked on this phone what the gateway asks a person (spec 13.4). */
    var decidesHere: Boolean
        get() = preferences.getBoolean(DECIDES, true)
        set(value) = preferences.edit().putBoolean(DECIDES, value).apply()

    /** This phone's id (spec 13.4): the one that its gateway gave, else one made here once. Never copied to another phone. */
    val deviceId: String
        @Synchronized get() = preferences.getString(DEVICE_ID, null)
            ?: UUID.randomUUID().toString().also { preferences.edit().putString(DEVICE_ID, it).apply() }

    /** For people; the phone's model unless set. */
    var deviceName: String
        get() = preferences.getString(DEVICE_NAME, null) ?: model
        set(value) = preferences.edit().putString(DEVICE_NAME, value).apply()

    /** The gateway, with its token. */
    fun pairing(): Pairing {
        val url = preferences.getString(URL, null) ?: return Pairing.None
        val pin = preferences.getString(PIN, null)
        val token = vault.read(owner(url, pin)) ?: return Pairing.TokenLost(url)
        return Pairing.Paired(GatewayTarget(url, token, pin, deviceId, deviceName))
    }

    /** Keep a gateway in place of the one before; false when the phone's key store cannot keep the token. */
    fun pair(target: GatewayTarget): Boolean {
        if (!vault.keep(target.token, owner(target.url, target.pin))) return false
        preferences.edit()
            .putString(URL, target.url)
            .putString(PIN, target.pin)
            .putString(DEVICE_ID, target.deviceId)
            .putString(DEVICE_NAME, target.deviceName)
            .apply()
        return true
    }

    /** Be paired with nobody. */
    fun unpair() {
        wished = false
        preferences.edit().remove(URL).remove(PIN).apply()
        vault.forget()
    }

    private companion object {
        const val WISHED = "wished"
        const val DECIDES = "decides"
        const val DEVICE_ID = "device.id"
        const val DEVICE_NAME = "device.name"
        const val URL = "gateway.url"
        const val PIN = "gateway.pin"

        /** Binds the token to its gateway: with another address or pin in this file it cannot be read. */
        fun owner(url: String, pin: String?): String = "$url ${pin.orEmpty()}"
    }
}
