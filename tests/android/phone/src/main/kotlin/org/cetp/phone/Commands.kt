package org.cetp.phone

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import java.io.ByteArrayOutputStream
import java.io.InputStream
import java.io.PrintStream
import kotlin.time.Duration.Companion.seconds

/**
 * Commands as lines of JSON, `{"id": 1, "do": "connect"}`, each answered by one line with its id: `{"id": 1, "value": …}`
 * or `{"id": 1, "error": "…"}`. They run side by side, each for at most [PATIENCE]. The first line says that the phone is
 * up, and `off` ends it.
 */
class Commands(private val desk: Desk, private val output: PrintStream) {
    /** Serve until `off`, or until the input ends. */
    fun serve(input: InputStream) {
        val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
        say(jsonOf("up" to true))
        generateSequence { readLine(input) }
            .map { Json.parseToJsonElement(it).jsonObject }
            .takeWhile { it.text("do") != "off" }
            .forEach { command -> scope.launch { say(answer(command)) } }
        scope.cancel()
    }

    private suspend fun answer(command: JsonObject): JsonObject {
        val said = try {
            "value" to withTimeout(PATIENCE) { desk.run(command) }
        } catch (_: TimeoutCancellationException) {
            "error" to JsonPrimitive("${command.text("do")}: nothing within $PATIENCE")
        } catch (failure: CancellationException) {
            throw failure
        } catch (failure: RuntimeException) {
            // Whoever asked is waiting; what went wrong is for them to see.
            "error" to JsonPrimitive(failure.stackTraceToString())
        }
        return jsonOf("id" to command["id"], said)
    }

    /** One line and no byte more, since what follows may be for the next phone. */
    private fun readLine(input: InputStream): String? {
        val line = ByteArrayOutputStream()
        while (true) {
            val next = input.read()
            if (next < 0) return null
            if (next == '\n'.code) return String(line.toByteArray())
            line.write(next)
        }
    }

    @Synchronized
    private fun say(line: JsonObject) {
        output.println(line)
        output.flush()
    }

    companion object {
        val PATIENCE = 20.seconds
    }
}
