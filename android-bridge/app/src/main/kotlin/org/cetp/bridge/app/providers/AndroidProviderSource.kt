package org.cetp.bridge.app.providers

import android.content.Context
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.withContext
import org.cetp.bridge.app.prompts.WakePrompt
import org.cetp.bridge.tools.CallResult
import org.cetp.bridge.tools.ProviderAddress
import org.cetp.bridge.tools.ProviderSource
import org.cetp.bridge.tools.ServiceEntry

/** The apps of this phone; joins the parts of this package. */
class AndroidProviderSource(
    context: Context,
    private val wakePrompt: WakePrompt,
    private val scanner: PackageScanner = PackageScanner(context.packageManager),
    private val client: ProviderClient = ProviderClient(context.contentResolver, context.packageManager),
    private val blocking: CoroutineDispatcher = Dispatchers.IO,
) : ProviderSource {
    override val packageChanges: Flow<Unit> = packageChanges(context)

    override suspend fun services(): List<ServiceEntry> = withContext(blocking) { scanner.services() }

    override suspend fun call(address: ProviderAddress, method: String, extras: Map<String, String>?): CallResult {
        val result = client.call(address, method, extras)
        if (result is CallResult.Answered) wakePrompt.withdraw(address.packageName)
        return result
    }

    /** Starts the process by asking for the provider; where the phone's maker forbids that, its owner is asked to. */
    override suspend fun wake(address: ProviderAddress): Boolean {
        val awake = client.wake(address)
        if (!awake) wakePrompt.show(address.packageName)
        return awake
    }
}
