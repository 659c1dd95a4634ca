package org.cetp.bridge

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.SharingStarted
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.combine
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.stateIn
import kotlinx.coroutines.launch
import org.cetp.bridge.gateway.GatewayTarget
import org.cetp.bridge.gateway.isAllowed
import org.cetp.bridge.gateway.socketAddress
import org.cetp.bridge.gateway.usualSessionId
import org.cetp.bridge.journal.CallJournal
import org.cetp.bridge.journal.CallRecord
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Decision
import org.cetp.bridge.protocol.DeviceFrame
import org.cetp.bridge.protocol.Reply
import org.cetp.bridge.protocol.RequestKey
import org.cetp.bridge.session.Backoff
import org.cetp.bridge.session.Calls
import org.cetp.bridge.session.SessionEvent
import org.cetp.bridge.session.SessionLoop
import org.cetp.bridge.session.SessionMachine
import org.cetp.bridge.session.Transport
import org.cetp.bridge.tools.Consent
import org.cetp.bridge.tools.ConsentStore
import org.cetp.bridge.tools.ProviderCatalog
import org.cetp.bridge.tools.ProviderSource
import org.cetp.bridge.tools.ProviderState
import org.cetp.bridge.tools.ToolRunner
import kotlin.random.Random
import kotlin.time.Clock
import kotlin.time.TimeSource

/**
 * The whole bridge but for its borders: looks for providers from the moment it is built, connects when it is told to,
 * and lives as long as its scope.
 *
 * @param transport the way to a gateway, asked for each socket; throws [IllegalArgumentException] where a pin cannot be
 * read.
 * @param clock for what people read; [time] measures how long things take.
 */
public class PhoneBridge(
    private val scope: CoroutineScope,
    source: ProviderSource,
    consents: ConsentStore,
    transport: (GatewayTarget) -> Transport,
    log: Log,
    clock: Clock = Clock.System,
    time: TimeSource = TimeSource.Monotonic,
    random: Random = Random.Default,
    options: BridgeOptions = BridgeOptions(),
) : Bridge {
    private val catalog = ProviderCatalog(source, consents, options.catalog)
    private val journal = CallJournal(clock, time)
    private val runner = ToolRunner(source, { catalog.catalog.value }, ::isAllowed, options.calls)
    private val repetition = Repetition(runner, journal, random)
    private val session = SessionLoop(
        machine = SessionMachine(options.session, Backoff(random)),
        transport = transport,
        address = { it.socketAddress(options.session.sessionId ?: it.usualSessionId) },
        calls = Calls(runner, journal, options.calls.callsInFlight),
        log = log,
        clock = clock,
    )

    override val status: StateFlow<BridgeStatus> =
        session.state.map { it.status }.stateIn(scope, SharingStarted.Eagerly, BridgeStatus.Off)

    override val providers: StateFlow<List<ProviderState>> = combine(catalog.providers, session.state) { found, state ->
        GatewayVerdicts.shown(found, state)
    }.stateIn(scope, SharingStarted.Eagerly, catalog.providers.value)

    override val requests: StateFlow<PersonRequests> =
        session.state.map { it.requests }.stateIn(scope, SharingStarted.Eagerly, PersonRequests())

    override val calls: StateFlow<List<CallRecord>> get() = journal.calls

    init {
        scope.launch { catalog.run() }
        scope.launch { catalog.catalog.collect { session.tell(SessionEvent.CatalogChanged(it)) } }
        scope.launch { session.run() }
    }

    /** @throws IllegalArgumentException no gateway takes such a device id; pairing never makes one. */
    override fun connect(target: GatewayTarget) {
        require(DeviceFrame.isSafeId(target.deviceId)) { "a device id must be 1 to 128 of A-Z a-z 0-9 _ . -" }
        session.tell(if (mayReach(target)) SessionEvent.Wanted(target) else FORBIDDEN)
    }

    override fun disconnect(): Unit = session.tell(SessionEvent.Unwanted)

    override fun decideHere(wanted: Boolean): Unit = session.tell(SessionEvent.Deciding(wanted))

    override fun decide(requestId: String, decision: Decision): Unit =
        session.tell(SessionEvent.Answered(RequestKey(RequestKey.Kind.APPROVAL, requestId), decision))

    override fun reply(requestId: String, reply: Reply): Unit =
        session.tell(SessionEvent.Answered(RequestKey(RequestKey.Kind.QUESTION, requestId), reply))

    override fun networkReturned(): Unit = session.tell(SessionEvent.NetworkReturned)

    override fun rescan(): Unit = catalog.rescan()

    override fun allow(packageName: String, allowed: Boolean): Unit = catalog.allow(packageName, allowed)

    override fun allowTool(packageName: String, tool: String, allowed: Boolean): Unit =
        catalog.allowTool(packageName, tool, allowed)

    override fun repeat(callId: String) {
        val record = journal.find(callId) ?: return
        scope.launch { repetition.run(record, catalog.catalog.value.find(record.tool)) }
    }

    private fun isAllowed(packageName: String): Boolean =
        catalog.providers.value.any { it.packageName == packageName && it.consent == Consent.ALLOWED }

    /** An address that cannot be read is reported when its socket is opened. */
    private fun mayReach(target: GatewayTarget): Boolean = try {
        target.isAllowed()
    } catch (_: IllegalArgumentException) {
        true
    }

    private companion object {
        val FORBIDDEN = SessionEvent.Forbidden(StopReason.CLEARTEXT_REFUSED)
    }
}
