package org.cetp.phone

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import org.cetp.bridge.tools.ProviderAddress
import java.io.BufferedReader
import java.io.PrintStream

/**
 * Commands as lines of JSON, `{"id": 1, "do": "services"}`, each answered by one line with its id: `{"id": 1, "value": …}`
 * or `{"id": 1, "error": "…"}`. The first line says that the phone is up.
 */
class Commands(private val providers: Providers, private val input: BufferedReader, private val output: PrintStream) {
    /** Serve until the input ends. */
    fun serve() {
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        say(buildJsonObject { put("up", JsonPrimitive(true)) })
        input.forEachLine { line ->
            val command = Json.parseToJsonElement(line).jsonObject
            scope.launch { say(answer(command)) }
        }
        scope.cancel()
    }

    private suspend fun answer(command: JsonObject): JsonObject {
        val said = try {
            "value" to run(command)
        } catch (cancelled: CancellationException) {
            throw cancelled
        } catch (failure: RuntimeException) {
            "error" to JsonPrimitive(failure.toString())
        }
        return buildJsonObject {
            put("id", command.getValue("id"))
            put(said.first, said.second)
        }
    }

    private suspend fun run(command: JsonObject): JsonElement = when (val name = command.text("do")) {
        "services" -> providers.services()
        "call" -> providers.call(
            ProviderAddress(command.text("package"), command.text("authority")),
            command.text("method"),
            command["extras"]?.jsonObject?.mapValues { (_, value) -> value.jsonPrimitive.content },
        )
        else -> error("no command $name")
    }

    private fun JsonObject.text(key: String): String = checkNotNull(get(key)) { "no $key" }.jsonPrimitive.content

    @Synchronized
    private fun say(line: JsonObject) {
        output.println(line)
        output.flush()
    }
}
