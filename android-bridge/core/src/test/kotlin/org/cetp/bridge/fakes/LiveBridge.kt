package org.cetp.bridge.fakes

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import okhttp3.OkHttpClient
import org.cetp.bridge.BridgeOptions
import org.cetp.bridge.PhoneBridge
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.session.OkHttpTransport
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

/** A bridge in real time on real sockets, with a gateway that a test plays. */
class LiveBridge(
    vararg apps: FakeApp,
    options: BridgeOptions = BridgeOptions(),
    deviceId: String = "phone-1",
    deviceName: String = "pixel",
) : AutoCloseable {
    private val client = OkHttpClient()
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val packages = apps.map { it.packageName }

    val source = FakeProviderSource(*apps)
    val gateway = ScriptedGateway()
    val log = RecordingLog()
    val bridge = PhoneBridge(scope, source, FakeConsentStore(), { OkHttpTransport(client) }, log, options = options)
    val target = GatewayTarget(gateway.url, "secret", null, deviceId, deviceName)

    /** The owner allows all apps, and has seen their tools. */
    fun allowAll() {
        packages.forEach { name ->
            await(bridge.providers) { all -> all.any { it.packageName == name } }
            bridge.allow(name, allowed = true)
            await(bridge.providers) { all -> all.single { it.packageName == name }.tools.isNotEmpty() }
        }
    }

    /** The first value that is as it should be; waits for it, but not for ever. */
    fun <T> await(values: Flow<T>, isRight: (T) -> Boolean): T {
        val right = CompletableFuture<T>()
        val waiting = scope.launch { right.complete(values.first(isRight)) }
        return right.get(WITHIN_S, TimeUnit.SECONDS).also { waiting.cancel() }
    }

    override fun close() {
        scope.cancel()
        gateway.close()
        client.dispatcher.executorService.shutdown()
        client.connectionPool.evictAll()
    }

    private companion object {
        const val WITHIN_S = 20L
    }
}
