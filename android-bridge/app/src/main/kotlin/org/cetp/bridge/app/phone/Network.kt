package org.cetp.bridge.app.phone

import android.content.Context
import android.net.ConnectivityManager
import android.net.Network
import android.net.NetworkCapabilities
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.conflate
import org.cetp.bridge.doctor.NetworkFacts

/** The network that the phone uses now. */
internal fun networkFacts(context: Context): NetworkFacts {
    val connectivity = connectivity(context)
    val capabilities = connectivity.activeNetwork?.let(connectivity::getNetworkCapabilities)
    return NetworkFacts(
        connected = capabilities != null,
        local = capabilities != null && LOCAL_TRANSPORTS.any(capabilities::hasTransport),
    )
}

/** Emits when the phone has a network again or uses another one; at first too, when it has one. */
internal fun networkChanges(context: Context): Flow<Unit> = callbackFlow {
    val connectivity = connectivity(context)
    val callback = object : ConnectivityManager.NetworkCallback() {
        override fun onAvailable(network: Network) {
            trySend(Unit)
        }
    }
    connectivity.registerDefaultNetworkCallback(callback)
    awaitClose { connectivity.unregisterNetworkCallback(callback) }
}.conflate()

private fun connectivity(context: Context) = checkNotNull(context.getSystemService(ConnectivityManager::class.java))

private val LOCAL_TRANSPORTS = listOf(
    NetworkCapabilities.TRANSPORT_WIFI,
    NetworkCapabilities.TRANSPORT_ETHERNET,
    NetworkCapabilities.TRANSPORT_VPN,
)
