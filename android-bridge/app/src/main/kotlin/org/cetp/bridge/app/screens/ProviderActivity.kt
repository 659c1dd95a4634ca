package org.cetp.bridge.app.screens

import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.Switch
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import org.cetp.bridge.Bridge
import org.cetp.bridge.app.R
import org.cetp.bridge.tools.ProviderState

/** One app: what it says of itself, and its tools with what becomes of each. */
class ProviderActivity : Screen(R.layout.provider, R.string.providers) {
    private val shownPackage by lazy { intent.getStringExtra(PACKAGE).orEmpty() }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        part<View>(R.id.provider_tools_title).heading()
    }

    override fun whileSeen(scope: CoroutineScope) = with(scope) {
        show(parts.bridge.providers) { providers ->
            val provider = providers.find { it.packageName == shownPackage }
            // Its app was removed while it was shown.
            if (provider == null) finish() else render(provider)
        }
    }

    private fun render(provider: ProviderState) {
        val view = providerView(provider)
        headline(resources.say(view.name))
        part<View>(R.id.page).fillProvider(view, said(R.string.provider_allow), parts.bridge)
        part<TextView>(R.id.provider_info).words(view.about)
        val count = provider.tools.size
        part<TextView>(R.id.provider_tools_title)
            .words(if (count > 0) Words.Counted(R.plurals.provider_tools_title, count) else null)
        val tools = part<ViewGroup>(R.id.provider_tools)
        tools.shownIf(count > 0)
        tools.rows(provider.tools.map(::toolView), R.layout.tool_row) { row, tool -> fill(row, tool) }
    }

    private fun fill(row: View, tool: ToolView) {
        row.part<TextView>(R.id.tool_name).words(tool.title)
        row.part<TextView>(R.id.tool_description).words(tool.description)
        row.part<TextView>(R.id.tool_badge).apply { words(tool.badge) }.tone(tool.tone)
        row.part<TextView>(R.id.tool_reason).words(tool.reason)
        val switch = row.part<Switch>(R.id.tool_allow)
        switch.shownIf(tool.allowed != null)
        switch.contentDescription = resources.say(said(R.string.tool_allow_label, tool.title))
        switch.bind(tool.allowed == true) { parts.bridge.allowTool(shownPackage, tool.name, it) }
    }

    internal companion object {
        /** Extra: the package of the app. */
        const val PACKAGE = "package"
    }
}

/** What the list and the page of one app show alike. @param label of the switch, for the eye; TalkBack hears more. */
internal fun View.fillProvider(view: ProviderView, label: Words, bridge: Bridge) {
    val switch = part<Switch>(R.id.provider_allow)
    switch.words(label)
    switch.contentDescription = resources.say(said(R.string.provider_allow_label, view.name))
    switch.bind(view.allowed) { bridge.allow(view.packageName, it) }
    part<TextView>(R.id.provider_badge).apply { words(view.badge) }.tone(view.tone)
    part<TextView>(R.id.provider_detail).words(view.detail)
    part<TextView>(R.id.provider_package).words(view.version)
}
