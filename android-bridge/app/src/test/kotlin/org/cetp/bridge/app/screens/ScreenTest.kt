package org.cetp.bridge.app.screens

import android.view.View
import org.cetp.bridge.app.R
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class ScreenTest {
    @Test
    fun `a screen that nobody sees listens to nothing, and shows what is true when it is seen again`() {
        val listeners = fakeParts.bridge.providers.subscriptionCount
        Robolectric.buildActivity(ProvidersActivity::class.java).use { controller ->
            val screen = controller.setup().get()
            assertEquals(1, listeners.value)
            controller.pause().stop()
            settle()
            assertEquals(0, listeners.value)
            fakeParts.bridge.providers.value = listOf(notes)
            controller.start().resume()
            settle()
            assertTrue("Notes" in screen.texts())
        }
    }

    @Test
    fun `back from a screen that a notification opened leads to the first screen`() = onScreen<CallsActivity> {
        shadowOf(this).setIsTaskRoot(true)
        touch(R.id.back)
        assertEquals(StatusActivity::class.java.name, shadowOf(this).nextStartedActivity.component?.className)
        assertTrue(isFinishing)
    }

    @Test
    fun `back from a screen that another one opened only closes it`() = onScreen<CallsActivity> {
        shadowOf(this).setIsTaskRoot(false)
        touch(R.id.back)
        assertEquals(null, shadowOf(this).nextStartedActivity)
        assertTrue(isFinishing)
    }

    @Test
    fun `the first screen has no way back`() = onScreen<StatusActivity> {
        assertFalse(findViewById<View>(R.id.back).isSeen())
    }
}
