package org.cetp.bridge.fakes

import kotlinx.coroutines.flow.MutableSharedFlow
import org.cetp.bridge.tools.CallResult
import org.cetp.bridge.tools.ProviderAddress
import org.cetp.bridge.tools.ProviderSource
import org.cetp.bridge.tools.ServiceEntry
import java.util.concurrent.ConcurrentSkipListMap
import java.util.concurrent.CopyOnWriteArrayList

/** A phone with these apps on it. Everything may be called from any thread. */
class FakeProviderSource(vararg apps: FakeApp) : ProviderSource {
    private val installed = ConcurrentSkipListMap<String, FakeApp>()

    /** Every call that was made, in order: the app, the method and its extras. */
    val calls = CopyOnWriteArrayList<Call>()

    /** The packages that were to be woken, in order. */
    val woken = CopyOnWriteArrayList<String>()

    init {
        apps.forEach(::put)
    }

    override val packageChanges: MutableSharedFlow<Unit> = MutableSharedFlow(extraBufferCapacity = CHANGES)

    /** What the package manager throws in place of an answer, if it does. */
    @Volatile
    var scanFailure: RuntimeException? = null

    override suspend fun services(): List<ServiceEntry> {
        scanFailure?.let { throw it }
        return installed.values.flatMap { it.services }
    }

    override suspend fun call(address: ProviderAddress, method: String, extras: Map<String, String>?): CallResult {
        calls += Call(address.packageName, method, extras)
        val app = installed[address.packageName]
            ?: return CallResult.NotDelivered(CallResult.Reason.UNKNOWN_AUTHORITY, "it is not installed")
        return app.answer(method, extras)
    }

    override suspend fun wake(address: ProviderAddress): Boolean {
        woken += address.packageName
        return installed[address.packageName]?.wake?.invoke() ?: false
    }

    /** Install an app, or put another version in its place. */
    fun install(app: FakeApp) {
        put(app)
        packageChanges.tryEmit(Unit)
    }

    fun remove(packageName: String) {
        installed.remove(packageName)
        packageChanges.tryEmit(Unit)
    }

    /** How often a method of an app was called. */
    fun count(packageName: String, method: String): Int =
        calls.count { it.packageName == packageName && it.method == method }

    private fun put(app: FakeApp) {
        installed[app.packageName] = app
    }

    data class Call(val packageName: String, val method: String, val extras: Map<String, String>?)

    private companion object {
        const val CHANGES = 64
    }
}
