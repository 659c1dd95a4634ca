package org.cetp.bridge.fakes

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.TestScope
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.testTimeSource
import org.cetp.bridge.Bridge
import org.cetp.bridge.PhoneBridge
import org.cetp.bridge.gateway.GatewayTarget
import kotlin.random.Random
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A bridge where days pass in a moment, on a network without wires; its owner allows the one app. */
@OptIn(ExperimentalCoroutinesApi::class)
class VirtualBridge(
    private val scope: TestScope,
    val source: FakeProviderSource,
    home: CoroutineScope = scope.backgroundScope,
) {
    val network = FakeTransport()

    val bridge: Bridge = PhoneBridge(
        scope = home,
        source = source,
        consents = FakeConsentStore(),
        transport = { network },
        log = RecordingLog(),
        time = scope.testTimeSource,
        random = Random(7),
    )

    /** What the bridge has sent on its newest socket. */
    val sent: List<String> get() = network.last.sent

    constructor(scope: TestScope, answer: suspend (args: String) -> String = { it }) :
        this(scope, FakeProviderSource(app(answer)))

    init {
        scope.runCurrent()
        bridge.allow(NOTES, allowed = true)
        pass(5.seconds)
    }

    fun connect(): Unit = bridge.connect(TARGET)

    /** Connect to a gateway that greets once, with these extensions. */
    fun greeted(vararg granted: String, limits: String = "{}"): VirtualBridge {
        network.onOpening = { it.greet(*granted, limits = limits) }
        connect()
        scope.runCurrent()
        network.onOpening = {}
        return this
    }

    /** The gateway asks for the app's tool. */
    fun ask(id: String, more: String = "", args: String = "{}"): Unit =
        network.last.say("""{"type":"tool_call_request","id":"$id","name":"notes__search","args":$args$more}""")

    /** All that is due within this time happens. */
    fun pass(time: Duration) {
        scope.advanceTimeBy(time)
        scope.runCurrent()
    }

    companion object {
        const val NOTES = "com.example.notes"
        val TARGET = GatewayTarget("http://10.0.0.2:42617", "secret", null, "phone-1", "pixel")

        /** The app, with one tool. */
        fun app(answer: suspend (args: String) -> String): FakeApp =
            FakeApp.offering(NOTES, "search") { _, args -> FakeApp.success(answer(args)) }
    }
}
