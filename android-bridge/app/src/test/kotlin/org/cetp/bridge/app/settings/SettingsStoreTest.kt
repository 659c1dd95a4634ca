package org.cetp.bridge.app.settings

import android.content.Context
import android.content.SharedPreferences
import org.cetp.bridge.app.fakes.PlainKeys
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.gateway.GatewayTarget
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class SettingsStoreTest {
    private val context: Context = RuntimeEnvironment.getApplication()
    private val preferences: SharedPreferences = context.getSharedPreferences("test", Context.MODE_PRIVATE)
    private val keys = PlainKeys()
    private val settings = store()
    private val target = GatewayTarget("https://192.168.1.20:42617", "the token", "sha256/AAAA", "phone-1", "My phone")

    @Test
    fun `a gateway is there again after a restart`() {
        assertTrue(settings.pair(target))
        assertEquals(Pairing.Paired(target), store().pairing())
    }

    @Test
    fun `the owner is asked on this phone until they turn that off, also after a restart`() {
        assertTrue(settings.decidesHere)
        settings.decidesHere = false
        assertFalse(store().decidesHere)
    }

    @Test
    fun `the token is nowhere in the file as it is`() {
        settings.pair(target)
        assertFalse(preferences.all.toString().contains("the token"))
    }

    @Test
    fun `a new token never uses the key or the nonce of the one before`() {
        settings.pair(target)
        val before = preferences.all.filterKeys { it.startsWith("token") }
        settings.pair(target)
        val after = preferences.all.filterKeys { it.startsWith("token") }
        assertEquals(before.keys, after.keys)
        before.forEach { (key, value) -> assertFalse(value == after[key]) }
    }

    @Test
    fun `a token whose key is gone is told as lost`() {
        settings.pair(target)
        keys.delete()
        assertEquals(Pairing.TokenLost(target.url), settings.pairing())
    }

    @Test
    fun `a token is not given for another address or pin`() {
        settings.pair(target)
        preferences.edit().putString("gateway.url", "https://elsewhere.example.com").apply()
        assertEquals(Pairing.TokenLost("https://elsewhere.example.com"), settings.pairing())
        preferences.edit().putString("gateway.url", target.url).remove("gateway.pin").apply()
        assertEquals(Pairing.TokenLost(target.url), settings.pairing())
    }

    @Test
    fun `a file that somebody changed gives no token and no crash`() {
        settings.pair(target)
        listOf("no base64 !", "AAAA", "").forEach { rubbish ->
            preferences.edit().putString("token.sealed", rubbish).apply()
            assertEquals(Pairing.TokenLost(target.url), settings.pairing())
        }
    }

    @Test
    fun `a key store that does not work keeps nothing and says so`() {
        keys.isBroken = true
        assertFalse(settings.pair(target))
        assertEquals(Pairing.None, settings.pairing())
    }

    @Test
    fun `where there is no key store at all, nothing is kept`() {
        val vault = TokenVault(preferences, AndroidKeySource())
        assertFalse(SettingsStore(preferences, vault, "Model").pair(target))
    }

    @Test
    fun `who is unpaired is paired with nobody, and does not wish to be connected`() {
        settings.pair(target)
        settings.wished = true
        settings.unpair()
        assertEquals(Pairing.None, store().pairing())
        assertFalse(store().wished)
    }

    @Test
    fun `the device keeps its id, whomever it is paired with`() {
        val id = settings.deviceId
        settings.pair(target.copy(deviceId = id))
        settings.unpair()
        assertEquals(id, store().deviceId)
        assertTrue(Regex("[A-Za-z0-9_.-]{1,128}").matches(id))
    }

    @Test
    fun `the device is called by its model until it is given a name`() {
        assertEquals("Model", settings.deviceName)
        settings.deviceName = "Kitchen phone"
        assertEquals("Kitchen phone", store().deviceName)
    }

    private fun store() = SettingsStore(preferences, TokenVault(preferences, keys), "Model")
}
