package com.example.notes.screens

import android.app.Activity
import android.os.Build
import android.view.View
import android.view.WindowInsets
import java.util.concurrent.Executor
import java.util.concurrent.Executors

/** One thread for what the screens read and write, so that they see their changes in order. */
internal val databaseThread: Executor by lazy { Executors.newSingleThreadExecutor() }

/** A view of this screen's layout. */
internal fun <T : View> Activity.view(id: Int): T = requireNotNull(findViewById(id))

/** A view of this row's layout. */
internal fun <T : View> View.view(id: Int): T = requireNotNull(findViewById(id))

/** Android 15 and later draw behind the bars, the cut-out and the keyboard: keep what matters out of there. */
internal fun Activity.keepClearOfBars(screen: View) {
    if (Build.VERSION.SDK_INT < Build.VERSION_CODES.VANILLA_ICE_CREAM) return
    screen.setOnApplyWindowInsetsListener { view, insets ->
        val taken = WindowInsets.Type.systemBars() or WindowInsets.Type.displayCutout() or WindowInsets.Type.ime()
        insets.getInsets(taken).let { view.setPadding(it.left, it.top, it.right, it.bottom) }
        WindowInsets.CONSUMED
    }
}

/** Show or hide without leaving a gap. */
internal fun View.showIf(shown: Boolean) {
    visibility = if (shown) View.VISIBLE else View.GONE
}
