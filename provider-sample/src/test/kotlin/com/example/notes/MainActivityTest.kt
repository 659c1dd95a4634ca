package com.example.notes

import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner

@RunWith(RobolectricTestRunner::class)
class MainActivityTest {
    @Test
    fun `the app's screen carries its name`() {
        val activity = Robolectric.buildActivity(MainActivity::class.java).setup().get()
        assertEquals(activity.getString(R.string.app_name), activity.title)
    }
}
