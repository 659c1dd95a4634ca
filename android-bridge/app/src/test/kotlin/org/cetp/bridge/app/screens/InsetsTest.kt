package org.cetp.bridge.app.screens

import android.graphics.Insets
import android.os.Build
import android.view.View
import android.view.WindowInsets
import org.cetp.bridge.app.R
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class, minSdk = Build.VERSION_CODES.R)
class InsetsTest {
    @Test
    fun `the page keeps clear of bars, cut-out and keyboard, whichever is larger`() = onScreen<PairingActivity> {
        val insets = WindowInsets.Builder()
            .setInsets(WindowInsets.Type.statusBars(), Insets.of(0, 40, 0, 0))
            .setInsets(WindowInsets.Type.displayCutout(), Insets.of(30, 0, 0, 0))
            .setInsets(WindowInsets.Type.navigationBars(), Insets.of(0, 0, 0, 50))
            .setInsets(WindowInsets.Type.ime(), Insets.of(0, 0, 0, 600))
            .build()
        val page = findViewById<View>(R.id.page)
        page.dispatchApplyWindowInsets(insets)
        assertEquals(
            listOf(30, 40, 0, 600),
            listOf(page.paddingLeft, page.paddingTop, page.paddingRight, page.paddingBottom),
        )
    }
}
