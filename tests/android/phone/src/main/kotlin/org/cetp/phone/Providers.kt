package org.cetp.phone

import android.content.Context
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import org.cetp.bridge.app.providers.PackageScanner
import org.cetp.bridge.app.providers.ProviderClient
import org.cetp.bridge.tools.CallResult
import org.cetp.bridge.tools.ProviderAddress
import org.cetp.bridge.tools.ServiceEntry

/** The bridge's own scanner and client, for whoever wants to see them work alone. */
class Providers(bridge: Context) {
    private val scanner = PackageScanner(bridge.packageManager)
    private val client = ProviderClient(bridge.contentResolver, bridge.packageManager)

    /** What the scanner finds. */
    fun services(): JsonElement = JsonArray(scanner.services().map(::shown))

    /** What the client brings back. */
    suspend fun call(address: ProviderAddress, method: String, extras: Map<String, String>?): JsonElement =
        when (val result = client.call(address, method, extras)) {
            is CallResult.Answered -> buildJsonObject {
                result.keys.orEmpty().forEach { (key, value) -> put(key, JsonPrimitive(value.toString())) }
            }
            is CallResult.NotDelivered -> error("${result.reason}: ${result.detail}")
            is CallResult.Broken -> error("${result.reason}: ${result.detail}")
        }

    private fun shown(entry: ServiceEntry): JsonElement = buildJsonObject {
        put("package", entry.packageName)
        put("app", entry.appName)
        put("signer", entry.signer)
        put("authority", entry.metaData["com.clawseed.tools.authority"].toString())
        put("permission", entry.authority?.permission)
    }
}
