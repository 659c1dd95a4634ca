package org.cetp.bridge.app.settings

import android.content.Context
import org.cetp.bridge.app.fakes.TestApp
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class ConsentPreferencesTest {
    private val preferences = RuntimeEnvironment.getApplication().getSharedPreferences("consents", Context.MODE_PRIVATE)

    @Test
    fun `decisions are there again after a restart, the last one of each app`() {
        val before = ConsentPreferences(preferences)
        before.save("com.example.weather", "yes")
        before.save("com.example.notes", "no")
        before.save("com.example.weather", "no more")
        assertEquals(
            mapOf("com.example.weather" to "no more", "com.example.notes" to "no"),
            ConsentPreferences(preferences).load(),
        )
    }

    @Test
    fun `what is no text was not written by the bridge and counts for nothing`() {
        preferences.edit().putInt("com.example.weather", 1).apply()
        assertEquals(emptyMap<String, String>(), ConsentPreferences(preferences).load())
    }
}
