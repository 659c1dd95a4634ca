package org.cetp.bridge.app.providers

import android.content.ContentProviderClient
import android.content.ContentResolver
import android.content.pm.PackageManager
import android.os.Bundle
import android.os.DeadObjectException
import android.os.RemoteException
import android.os.TransactionTooLargeException
import org.cetp.bridge.tools.CallResult
import org.cetp.bridge.tools.CallResult.Break
import org.cetp.bridge.tools.CallResult.Reason
import org.cetp.bridge.tools.ProviderAddress

/**
 * Calls the ContentProviders of other apps (spec 4) through unstable clients: when such an app dies, this one lives on.
 *
 * Nothing that a provider wrote in an exception is passed on; it may hold data of the call.
 */
class ProviderClient(
    private val resolver: ContentResolver,
    packages: PackageManager,
    private val threads: CallThreads = CallThreads(),
) {
    private val authorities = AuthorityReader(packages)

    /** As `ProviderSource.call` has it. */
    suspend fun call(address: ProviderAddress, method: String, extras: Map<String, String>?): CallResult =
        threads.run(address.packageName, BUSY) {
            whenAcquired(address) { client -> call(client, method, extras?.let(::bundleOf)) }
        }

    /** As `ProviderSource.wake` has it: asking for the provider starts its process. */
    suspend fun wake(address: ProviderAddress): Boolean =
        threads.run(address.packageName, BUSY) { whenAcquired(address) { AWAKE } } == AWAKE

    private fun whenAcquired(address: ProviderAddress, use: (ContentProviderClient) -> CallResult): CallResult {
        // The authority may have passed to another app since the last scan, and that one was never allowed.
        if (authorities.owner(address.authority) != address.packageName) return UNKNOWN
        val client = try {
            resolver.acquireUnstableContentProviderClient(address.authority)
        } catch (_: SecurityException) {
            return NOT_PERMITTED
        }
        return client?.use(use) ?: NOT_STARTED
    }

    private fun call(client: ContentProviderClient, method: String, extras: Bundle?): CallResult {
        val reply = try {
            client.call(method, null, extras)
        } catch (failure: RemoteException) {
            return broken(failure)
        } catch (failure: RuntimeException) {
            return CallResult.Broken(Break.THREW, "it threw ${failure.javaClass.simpleName}")
        }
        return reply?.let(::answered) ?: CallResult.Answered(null)
    }

    private companion object {
        val BUSY = CallResult.NotDelivered(Reason.NOT_STARTED, "earlier calls to it have not come back")
        val NOT_STARTED = CallResult.NotDelivered(Reason.NOT_STARTED, "Android could not start its process")
        val NOT_PERMITTED = CallResult.NotDelivered(Reason.NOT_PERMITTED, "Android does not let this app call it")
        val UNKNOWN = CallResult.NotDelivered(Reason.UNKNOWN_AUTHORITY, "it has no provider of this authority")
        val AWAKE = CallResult.Answered(null)
    }
}

private fun answered(reply: Bundle): CallResult = try {
    CallResult.Answered(readReply(reply))
} catch (failure: RuntimeException) {
    CallResult.Broken(Break.UNREADABLE, "its answer cannot be taken apart (${failure.javaClass.simpleName})")
}

private fun bundleOf(extras: Map<String, String>): Bundle =
    Bundle().apply { extras.forEach { (key, value) -> putString(key, value) } }

private const val TOO_MUCH = "more than Android carries between apps"

private fun broken(failure: RemoteException): CallResult.Broken = when {
    failure is TransactionTooLargeException -> CallResult.Broken(Break.TOO_LARGE, "it is $TOO_MUCH")
    // How Android reports an answer that did not fit, if what was sent was small. A process that is gone gives no message.
    failure is DeadObjectException && failure.message != null ->
        CallResult.Broken(Break.TOO_LARGE, "its answer did not get through; it may be $TOO_MUCH")
    failure is DeadObjectException -> CallResult.Broken(Break.DIED, "its process ended during the call")
    else -> CallResult.Broken(Break.THREW, "Android reported ${failure.javaClass.simpleName}")
}
