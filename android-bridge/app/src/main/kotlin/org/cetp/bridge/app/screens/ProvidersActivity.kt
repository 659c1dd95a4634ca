package org.cetp.bridge.app.screens

import android.content.Intent
import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import kotlinx.coroutines.CoroutineScope
import org.cetp.bridge.app.R
import org.cetp.bridge.tools.ProviderState

/** All apps that offer tools, each with its switch. */
class ProvidersActivity : Screen(R.layout.providers, R.string.providers) {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        part<View>(R.id.providers_rescan).setOnClickListener { parts.bridge.rescan() }
    }

    override fun whileSeen(scope: CoroutineScope) = with(scope) { show(parts.bridge.providers, ::render) }

    private fun render(providers: List<ProviderState>) {
        val about = if (providers.isEmpty()) R.string.providers_none else R.string.providers_about
        part<TextView>(R.id.providers_about).setText(about)
        val list = part<ViewGroup>(R.id.providers_list)
        list.shownIf(providers.isNotEmpty())
        list.rows(providers.map(::providerView), R.layout.provider_card) { card, view -> fill(card, view) }
    }

    private fun fill(card: View, view: ProviderView) {
        card.fillProvider(view, view.name, parts.bridge)
        card.part<View>(R.id.provider_open).setOnClickListener {
            val page = Intent(this, ProviderActivity::class.java)
            startActivity(page.putExtra(ProviderActivity.PACKAGE, view.packageName))
        }
    }
}
