package org.cetp.bridge.fakes

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.cetp.bridge.protocol.CetpContract
import org.cetp.bridge.tools.AuthorityEntry
import org.cetp.bridge.tools.CallResult
import org.cetp.bridge.tools.ServiceEntry

/**
 * An app on a [FakeProviderSource].
 *
 * @property services what its manifest declares; usually [entry].
 * @property wake what becomes of an attempt to start its process.
 * @property answer what its ContentProvider does with a method and its extras; may suspend for as long as it likes.
 */
class FakeApp(
    val packageName: String,
    val services: List<ServiceEntry> = listOf(entry(packageName)),
    val wake: suspend () -> Boolean = { false },
    val answer: suspend (method: String, extras: Map<String, String>?) -> CallResult,
) {
    companion object {
        /** An app that keeps to the protocol: it lists these tools, and answers every call of one by [execute]. */
        fun offering(
            packageName: String,
            vararg tools: String,
            services: List<ServiceEntry> = listOf(entry(packageName)),
            execute: suspend (tool: String, args: String) -> CallResult = { _, args -> success(args) },
        ): FakeApp = FakeApp(packageName, services) { method, extras ->
            when (method) {
                CetpContract.Method.LIST_TOOLS -> success(toolList(*tools))
                CetpContract.Method.EXECUTE_TOOL -> execute(
                    checkNotNull(extras?.get(CetpContract.Extra.TOOL_NAME)),
                    checkNotNull(extras[CetpContract.Extra.ARGS]),
                )
                else -> failure("TOOL_NOT_FOUND", "no method $method")
            }
        }

        /** A manifest's entry that is as it must be. */
        fun entry(packageName: String, signer: String = "signer of $packageName"): ServiceEntry = ServiceEntry(
            packageName = packageName,
            serviceName = "$packageName.ToolProviderService",
            exported = true,
            appName = "App $packageName",
            appVersion = "1.0",
            metaData = mapOf(
                CetpContract.Discovery.AUTHORITY to "$packageName.tools",
                CetpContract.Discovery.VERSION to 1,
            ),
            authority = AuthorityEntry(
                packageName = packageName,
                authorities = listOf("$packageName.tools"),
                exported = true,
                permission = CetpContract.Discovery.PERMISSION,
                enabled = true,
            ),
            signer = signer,
        )

        /** The data of a `list_tools` reply with tools of these names, which take no arguments. */
        fun toolList(vararg names: String): String = listOfTools(
            names.map {
                JsonObject(mapOf("name" to JsonPrimitive(it), "description" to JsonPrimitive("What $it gives.")))
            },
        )

        /** The data of a `list_tools` reply. */
        fun listOfTools(tools: List<JsonObject>): String = JsonObject(mapOf("tools" to JsonArray(tools))).toString()

        /** A reply that worked, with this JSON text. */
        fun success(data: String): CallResult = CallResult.Answered(
            mapOf(CetpContract.Reply.STATUS to CetpContract.Reply.SUCCESS, CetpContract.Reply.DATA to data),
        )

        /** A reply that failed. */
        fun failure(code: String, message: String): CallResult = CallResult.Answered(
            mapOf(
                CetpContract.Reply.STATUS to CetpContract.Reply.ERROR,
                CetpContract.Reply.ERROR_CODE to code,
                CetpContract.Reply.ERROR_MESSAGE to message,
            ),
        )
    }
}
