package org.cetp.phone

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.job
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.PhoneBridge
import org.cetp.bridge.app.prompts.PromptLimit
import org.cetp.bridge.app.prompts.WakePrompt
import org.cetp.bridge.app.providers.AndroidProviderSource
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.tools.ConsentStore
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.DurationUnit
import kotlin.time.TimeSource

/** How long the bridge takes for what it does, with the real scanner and client and a gateway without wires. */
class Measurements(private val app: PhoneApp) : ConsentStore {
    /** The owner's decisions, which every bridge that is measured finds. */
    private val decisions = ConcurrentHashMap<String, String>()

    override fun load(): Map<String, String> = decisions

    override fun save(packageName: String, decision: String) {
        decisions[packageName] = decision
    }

    /**
     * Milliseconds from the start of a bridge until its owner sees the tools of all these apps, once for each new
     * bridge; the first one is not counted, since the owner allows the apps to it.
     */
    suspend fun discovery(packages: List<String>, tools: Int, times: Int): JsonElement {
        withBridge(ScriptedTransport()) { bridge ->
            bridge.providers.first { found -> found.map { it.packageName }.containsAll(packages) }
            packages.forEach { bridge.allow(it, true) }
            bridge.offers(packages, tools)
        }
        val took = List(times) {
            val start = TimeSource.Monotonic.markNow()
            withBridge(ScriptedTransport()) { bridge ->
                bridge.offers(packages, tools)
                start.elapsedNow()
            }
        }
        return milliseconds(took)
    }

    /** Milliseconds from the frame that asks for a tool to the frame that answers, of [times] calls after as many more. */
    suspend fun calls(packageName: String, tool: String, times: Int): JsonElement {
        val gateway = ScriptedTransport()
        return withBridge(gateway) { bridge ->
            bridge.providers.first { found -> found.any { it.packageName == packageName } }
            bridge.allow(packageName, true)
            bridge.connect(GatewayTarget("http://127.0.0.1:1", "token", null, "measured", "measured"))
            gateway.registered.await()
            repeat(times) { gateway.call("warm-$it", tool) }
            milliseconds(List(times) { gateway.call("$it", tool) })
        }
    }

    private suspend fun PhoneBridge.offers(packages: List<String>, tools: Int) {
        providers.first { found ->
            val whole = found.filter { app -> app.tools.count { it.wireName != null } == tools }
            whole.map { it.packageName }.containsAll(packages)
        }
    }

    private suspend fun <T> withBridge(gateway: ScriptedTransport, use: suspend (PhoneBridge) -> T): T {
        val scope = CoroutineScope(Job(app.scope.coroutineContext.job) + Dispatchers.Default)
        val source = AndroidProviderSource(app, WakePrompt(app, app.notices, PromptLimit { Duration.ZERO }))
        try {
            return use(PhoneBridge(scope, source, this, { gateway }, { _, _ -> }))
        } finally {
            scope.cancel()
        }
    }

    private fun milliseconds(took: List<Duration>) =
        JsonArray(took.map { JsonPrimitive(it.toDouble(DurationUnit.MILLISECONDS)) })
}
