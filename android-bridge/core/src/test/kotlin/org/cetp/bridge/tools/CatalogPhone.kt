package org.cetp.bridge.tools

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.runCurrent
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.FakeConsentStore
import org.cetp.bridge.fakes.FakeProviderSource
import org.cetp.bridge.protocol.CetpContract
import kotlin.time.Duration.Companion.seconds

/** A phone whose catalog runs on a test's virtual time. */
@OptIn(ExperimentalCoroutinesApi::class)
internal class CatalogPhone(
    private val scope: TestScope,
    val source: FakeProviderSource,
    val store: FakeConsentStore = FakeConsentStore(),
    timing: CatalogTiming = TIMING,
) {
    val catalog = ProviderCatalog(source, store, timing)

    val names: List<String> get() = catalog.catalog.value.tools.map { it.wireName }

    fun state(packageName: String): ProviderState = catalog.providers.value.single { it.packageName == packageName }

    /** Run it until everything that is due now has happened. */
    fun start() {
        scope.backgroundScope.launch { catalog.run() }
        scope.runCurrent()
    }

    fun allow(vararg packages: String) {
        packages.forEach { catalog.allow(it, allowed = true) }
        scope.runCurrent()
    }

    fun asked(packageName: String): Int = source.count(packageName, CetpContract.Method.LIST_TOOLS)

    companion object {
        val TIMING =
            CatalogTiming(tools = 10.seconds, wake = 5.seconds, gather = 1.seconds, firstPause = 5.seconds)

        /** A phone with these apps, all of them allowed in an earlier life of the process. */
        fun allowing(scope: TestScope, vararg apps: FakeApp): CatalogPhone {
            val store = FakeConsentStore()
            apps.forEach { store.save(it.packageName, Decision(allowed = true, it.services.first().signer).encode()) }
            return CatalogPhone(scope, FakeProviderSource(*apps), store)
        }
    }
}
