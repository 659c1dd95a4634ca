package org.cetp.bridge.app.screens

import android.annotation.SuppressLint
import android.app.Activity
import android.os.Build
import android.view.Gravity
import android.view.LayoutInflater
import android.view.MotionEvent
import android.view.View
import android.view.ViewGroup
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.view.WindowInsets
import android.view.WindowManager
import android.view.accessibility.AccessibilityNodeInfo
import android.widget.Button
import android.widget.LinearLayout
import android.widget.Switch
import android.widget.TextView

/** The view of a layout that is known to have it. */
internal fun <T : View> View.part(id: Int): T = requireNotNull(findViewById<T>(id)) { resources.getResourceName(id) }

internal fun View.shownIf(shown: Boolean) {
    visibility = if (shown) View.VISIBLE else View.GONE
}

/** Show the words, or nothing at all. The text is set only when it is another, so that TalkBack does not repeat it. */
internal fun TextView.words(words: Words?) {
    shownIf(words != null)
    val said = words?.let(resources::say).orEmpty()
    if (text.toString() != said) text = said
}

/** TalkBack jumps from heading to heading; Android 8 has no such word for views made by code. */
internal fun View.heading() {
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) isAccessibilityHeading = true
}

/** Set the switch without telling [changed] of it. */
internal fun Switch.bind(on: Boolean, changed: (Boolean) -> Unit) {
    setOnCheckedChangeListener(null)
    isChecked = on
    setOnCheckedChangeListener { _, now -> changed(now) }
}

/** One child for each row. Children are kept and filled anew, so that focus and scrolling stay where they are. */
internal fun <T> ViewGroup.rows(rows: List<T>, layout: Int, fill: (View, T) -> Unit) {
    while (childCount > rows.size) removeViewAt(childCount - 1)
    while (childCount < rows.size) LayoutInflater.from(context).inflate(layout, this, true)
    rows.forEachIndexed { index, row -> fill(getChildAt(index), row) }
}

/** Keep clear of the bars, the cut-out and the keyboard, all of which new Android draws over the window. */
internal fun View.keepClearOfBars() {
    setOnApplyWindowInsetsListener { view, insets ->
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) {
            val kinds = WindowInsets.Type.systemBars() or WindowInsets.Type.displayCutout() or WindowInsets.Type.ime()
            val edges = insets.getInsets(kinds)
            view.setPadding(edges.left, edges.top, edges.right, edges.bottom)
        } else {
            @Suppress("DEPRECATION") // The only words that Android 8 to 10 have.
            view.setPadding(
                insets.systemWindowInsetLeft,
                insets.systemWindowInsetTop,
                insets.systemWindowInsetRight,
                insets.systemWindowInsetBottom,
            )
        }
        insets
    }
}

/** What somebody's agent is about to do is nothing for recordings, the list of recent apps or a remote helper. */
internal fun Activity.keepOffPictures() {
    window.addFlags(WindowManager.LayoutParams.FLAG_SECURE)
}

/**
 * Take no touch that came through another app's window, by which an app can lead a finger (tapjacking).
 *
 * @param covered called instead.
 */
@SuppressLint("ClickableViewAccessibility") // Only touches that are not to count end here; a click is still the view's.
internal fun View.onlyUncovered(covered: () -> Unit) {
    setOnTouchListener { _, touch ->
        (touch.flags and COVERED != 0).also { if (it) covered() }
    }
}

/** The second one is known since Android 10. */
private const val COVERED = MotionEvent.FLAG_WINDOW_IS_OBSCURED or 0x2

/** What TalkBack says that a touch does. */
internal fun View.touchDoes(what: String) {
    accessibilityDelegate = object : View.AccessibilityDelegate() {
        override fun onInitializeAccessibilityNodeInfo(host: View, info: AccessibilityNodeInfo) {
            super.onInitializeAccessibilityNodeInfo(host, info)
            info.addAction(AccessibilityNodeInfo.AccessibilityAction(AccessibilityNodeInfo.ACTION_CLICK, what))
        }
    }
}

/** One below the other instead of side by side, where the window is narrow for the size of its letters. */
internal fun LinearLayout.belowWhereNarrow() {
    val configuration = resources.configuration
    if (configuration.screenWidthDp / configuration.fontScale >= WIDE_ENOUGH_DP) return
    orientation = LinearLayout.VERTICAL
    gravity = Gravity.START
    for (index in 0 until childCount) {
        val child = getChildAt(index)
        val place = child.layoutParams as LinearLayout.LayoutParams
        if (place.weight > 0) child.layoutParams = LinearLayout.LayoutParams(MATCH_PARENT, WRAP_CONTENT)
        (child as? TextView)?.takeIf { it !is Button }?.gravity = Gravity.START
    }
}

private const val WIDE_ENOUGH_DP = 300
