package org.cetp.bridge.gateway

import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import okhttp3.Call
import okhttp3.Callback
import okhttp3.Headers
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import java.io.IOException
import java.io.InterruptedIOException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.time.Duration.Companion.seconds

/** @property body null when the answer is not one JSON object. */
internal class HttpAnswer(val status: Int, val headers: Headers, val body: JsonObject?)

/**
 * One request; bounded in time and in size. Cancelling closes the connection.
 *
 * @throws IOException nothing answered, or not in time.
 */
internal suspend fun OkHttpClient.ask(request: Request): HttpAnswer =
    withTimeoutOrNull(LONGEST_WAIT) { answerTo(request) } ?: throw InterruptedIOException("no answer")

/** The client's own time-outs cannot end a look-up of a name, which may take minutes. */
internal val LONGEST_WAIT = 25.seconds

private suspend fun OkHttpClient.answerTo(request: Request): HttpAnswer = suspendCancellableCoroutine { waiting ->
    val call = newCall(request)
    waiting.invokeOnCancellation { call.cancel() }
    call.enqueue(object : Callback {
        override fun onFailure(call: Call, e: IOException) = waiting.resumeWithException(e)

        override fun onResponse(call: Call, response: Response) {
            val answer = try {
                response.use(::read)
            } catch (failure: IOException) {
                return waiting.resumeWithException(failure)
            }
            waiting.resume(answer)
        }
    })
}

private const val MAX_BYTES = 64 * 1024L

private fun read(response: Response): HttpAnswer {
    val source = response.body?.source() ?: return HttpAnswer(response.code, response.headers, null)
    val whole = !source.request(MAX_BYTES + 1)
    val body = if (whole) jsonObject(source.readUtf8()) else null
    return HttpAnswer(response.code, response.headers, body)
}

private fun jsonObject(text: String): JsonObject? = try {
    Json.parseToJsonElement(text) as? JsonObject
} catch (_: SerializationException) {
    null
}
