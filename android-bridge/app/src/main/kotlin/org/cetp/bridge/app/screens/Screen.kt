package org.cetp.bridge.app.screens

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.launch
import org.cetp.bridge.app.R

/** What all screens share: the bar with title and way back, the insets, and work that ends when nobody sees it. */
abstract class Screen(private val layout: Int, private val titleText: Int) : Activity() {
    /** Only the main thread touches it; null while the screen cannot be seen. */
    private var seen: CoroutineScope? = null

    internal val parts: BridgeParts get() = application as BridgeParts

    /** The view of this screen that is known to be there. */
    internal fun <T : View> part(id: Int): T = requireNotNull(findViewById<T>(id)) { resources.getResourceName(id) }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.page)
        layoutInflater.inflate(layout, part<ViewGroup>(R.id.body), true)
        part<View>(R.id.page).keepClearOfBars()
        headline(getString(titleText))
        val back = part<View>(R.id.back)
        back.shownIf(this !is StatusActivity)
        back.setOnClickListener { goBack() }
        part<TextView>(R.id.title).heading()
    }

    override fun onStart() {
        super.onStart()
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Main.immediate)
        seen = scope
        whileSeen(scope)
    }

    override fun onStop() {
        seen?.cancel()
        seen = null
        super.onStop()
    }

    /** Start what runs while the screen can be seen. */
    internal abstract fun whileSeen(scope: CoroutineScope)

    internal fun headline(text: String) {
        title = text
        part<TextView>(R.id.title).text = text
    }

    internal fun <T> CoroutineScope.show(flow: Flow<T>, render: (T) -> Unit) {
        launch { flow.collect { render(it) } }
    }

    /** A screen that a notification opened has nothing behind it. */
    private fun goBack() {
        if (isTaskRoot) startActivity(Intent(this, StatusActivity::class.java))
        finish()
    }
}
