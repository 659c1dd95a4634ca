package org.cetp.bridge.app.screens

import android.app.Activity
import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.shadows.ShadowLooper

internal val fakeParts: FakeParts get() = RuntimeEnvironment.getApplication() as FakeParts

/** Open a screen, let a test look at it, and close it. */
internal inline fun <reified T : Activity> onScreen(intent: Intent? = null, look: T.() -> Unit) {
    Robolectric.buildActivity(T::class.java, intent).use { controller ->
        val screen = controller.setup().get()
        settle()
        screen.look()
    }
}

/** Let everything run that is due on the main thread. */
internal fun settle() = ShadowLooper.idleMainLooper()

/** The text of a view, or null when it cannot be seen. */
internal fun Activity.textOf(id: Int): String? = findViewById<View>(android.R.id.content).textOf(id)

internal fun View.textOf(id: Int): String? =
    part<TextView>(id).takeIf { it.isSeen() }?.text?.toString()

internal fun Activity.touch(id: Int) {
    val view = requireNotNull(findViewById<View>(id))
    check(view.isSeen() && view.isEnabled) { "it cannot be touched: ${resources.getResourceName(id)}" }
    view.performClick()
    settle()
}

internal fun View.isSeen(): Boolean =
    visibility == View.VISIBLE && (parent as? View)?.isSeen() != false

/** A view and all below it that can be seen. */
internal fun View.seen(): List<View> = when {
    visibility != View.VISIBLE -> emptyList()
    this is ViewGroup -> listOf(this) + (0 until childCount).flatMap { getChildAt(it).seen() }
    else -> listOf(this)
}

/** Every text that can be seen, from above. */
internal fun Activity.texts(): List<String> =
    window.decorView.seen().filterIsInstance<TextView>().map { it.text.toString() }.filter { it.isNotEmpty() }
