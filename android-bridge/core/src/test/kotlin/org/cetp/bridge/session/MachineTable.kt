package org.cetp.bridge.session

import kotlinx.serialization.json.JsonObject
import org.cetp.bridge.StopReason
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.protocol.GatewayFrame
import org.cetp.bridge.protocol.GatewayLimits
import org.cetp.bridge.protocol.ToolSpec
import org.cetp.bridge.tools.Catalog
import org.cetp.bridge.tools.CatalogTool
import org.cetp.bridge.tools.ProviderAddress
import kotlin.random.Random

/** States as a [SessionMachine] without jitter reaches them; the socket is always the first. */
class MachineTable {
    private val machine = SessionMachine(SessionOptions(), Backoff(Random(1), jitter = 0.0))
    private val target = GatewayTarget("http://10.0.0.2:42617", "secret", null, "phone-1", "pixel")

    fun step(state: SessionState, event: SessionEvent): Step = machine.step(state, event)

    fun opening(tools: Catalog = Catalog.EMPTY): SessionState =
        step(SessionState(catalog = tools), SessionEvent.Wanted(target)).state

    fun live(
        vararg granted: String,
        tools: Catalog = Catalog.EMPTY,
        limits: GatewayLimits = GatewayLimits(),
    ): SessionState {
        val opened = step(opening(tools), SessionEvent.Opened(1)).state
        return step(opened, SessionEvent.Received(1, GatewayFrame.Connected(granted.toSet(), limits), at = 0)).state
    }

    fun waiting(): SessionState = step(opening(), SessionEvent.Failed(1, null, "gone")).state

    fun stopped(): SessionState = step(opening(), SessionEvent.Failed(1, 401, "")).state.also {
        check(it.phase == Phase.Stopped(StopReason.TOKEN_REFUSED))
    }

    /** The connection has held. */
    fun steady(state: SessionState): SessionState =
        step(state, SessionEvent.Elapsed(checkNotNull((state.phase as Phase.Live).steady))).state

    /** The step in which a change of the catalog is registered. */
    fun settled(state: SessionState, tools: Catalog): Step {
        val changed = step(state, SessionEvent.CatalogChanged(tools)).state
        return step(changed, SessionEvent.Elapsed(checkNotNull((changed.phase as Phase.Live).settle)))
    }
}

/** A catalog of tools with these wire names, all of one app. */
fun catalog(vararg wireNames: String): Catalog = Catalog(
    wireNames.map {
        CatalogTool(
            wireName = it,
            spec = ToolSpec(it.substringAfter("__"), "What $it gives.", JsonObject(emptyMap())),
            address = ProviderAddress("com.example.notes", "com.example.notes.tools"),
            appName = "Notes",
            appVersion = "1.0",
        )
    },
)
