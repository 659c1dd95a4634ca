package org.cetp.bridge.fakes

import org.cetp.bridge.tools.ConsentStore
import java.util.concurrent.ConcurrentHashMap

/** Keeps decisions in memory. May be used from any thread. */
class FakeConsentStore : ConsentStore {
    private val saved = ConcurrentHashMap<String, String>()

    override fun load(): Map<String, String> = HashMap(saved)

    override fun save(packageName: String, decision: String) {
        saved[packageName] = decision
    }
}
