package org.cetp.bridge.tools

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.withTimeoutOrNull
import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.protocol.ProviderReply
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

/**
 * Runs single calls: a place in the queue, at most one wake and repetition, one deadline around all of it.
 *
 * @param offered what may be called at this moment.
 * @param isAllowed whether the owner allows an app at this moment.
 */
public class ToolRunner(
    private val source: ProviderSource,
    private val offered: () -> Catalog,
    private val isAllowed: (packageName: String) -> Boolean,
    private val options: ToolRunnerOptions = ToolRunnerOptions(),
) {
    private val lanes = CallLanes(options.callsOfOneApp, options.callsOfAll)

    /**
     * The reply, whoever it is from; null when the deadline has passed, and then the provider may have run the call.
     *
     * @param args JSON text of an object.
     * @param requestId passed on to the provider as it is.
     * @param deadline null when nobody said.
     */
    public suspend fun run(tool: CatalogTool, args: String, requestId: String, deadline: Duration?): ProviderReply? =
        withTimeoutOrNull((deadline ?: options.usualDeadline).coerceAtMost(options.longestDeadline)) {
            lanes.inTurn(tool.address.packageName) { ask(tool, args, requestId) }
        }

    private suspend fun ask(tool: CatalogTool, args: String, requestId: String): ProviderReply {
        // Asked only now: the owner may have decided otherwise while the call waited.
        refusal(tool)?.let { return it }
        val extras = mapOf(
            CetpContract.Extra.TOOL_NAME to tool.spec.name,
            CetpContract.Extra.ARGS to args,
            CetpContract.Extra.REQUEST_ID to requestId,
        )
        val first = execute(tool.address, extras)
        val result = if (worthRepeating(first) && source.wake(tool.address)) execute(tool.address, extras) else first
        return CallReplies.of(result, tool.appName)
    }

    private suspend fun execute(address: ProviderAddress, extras: Map<String, String>): CallResult = try {
        source.call(address, CetpContract.Method.EXECUTE_TOOL, extras)
    } catch (cancelled: CancellationException) {
        throw cancelled
    } catch (_: RuntimeException) {
        // The border to Android promises not to throw; a mistake there costs this call and not the connection.
        CallResult.Broken(CallResult.Break.THREW, "the call threw")
    }

    private fun refusal(tool: CatalogTool): ProviderReply.Failure? = when {
        offered().offers(tool) -> null
        isAllowed(tool.address.packageName) -> CallReplies.withdrawn(tool.appName)
        else -> CallReplies.notAllowed(tool.appName)
    }

    /** The same tool of the same app; its wire name may have become another one. */
    private fun Catalog.offers(tool: CatalogTool): Boolean {
        val same = find(tool.wireName)
        if (same != null && same.isSame(tool)) return true
        return tools.any { it.isSame(tool) }
    }

    private fun CatalogTool.isSame(other: CatalogTool) = address == other.address && spec.name == other.spec.name

    /** Only what the provider provably never got; waking does not help where the phone forbids the call. */
    private fun worthRepeating(result: CallResult): Boolean = when (result) {
        is CallResult.Answered, is CallResult.Broken -> false
        is CallResult.NotDelivered -> when (result.reason) {
            CallResult.Reason.UNKNOWN_AUTHORITY, CallResult.Reason.NOT_STARTED -> true
            CallResult.Reason.NOT_PERMITTED -> false
        }
    }
}

/**
 * Every bound of running calls.
 *
 * @property callsOfOneApp that run at once.
 * @property callsOfAll that run at once on the whole phone.
 * @property callsInFlight running and waiting; further ones are refused as `RATE_LIMITED`.
 * @property usualDeadline where the gateway says none: a ClawSeed gateway waits for 30 s (spec 13.2).
 * @property longestDeadline whatever the gateway says.
 */
public data class ToolRunnerOptions(
    val callsOfOneApp: Int = 4,
    val callsOfAll: Int = 16,
    val callsInFlight: Int = 128,
    val usualDeadline: Duration = 28.seconds,
    val longestDeadline: Duration = 10.minutes,
)
