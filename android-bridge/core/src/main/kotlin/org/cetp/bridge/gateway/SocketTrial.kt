package org.cetp.bridge.gateway

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.withTimeoutOrNull
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import java.io.IOException
import java.io.InterruptedIOException
import kotlin.time.Duration.Companion.seconds

/** What became of opening a socket. */
internal sealed interface Opened {
    data object Yes : Opened

    /** @property status the HTTP status in place of 101. */
    data class Refused(val status: Int) : Opened

    data class Failed(val failure: IOException) : Opened
}

/** Opens the bridge's socket and closes it again, saying nothing on it: the bridge's own socket is not disturbed. */
internal suspend fun OkHttpClient.tryToOpen(target: GatewayTarget): Opened {
    val address = target.socketAddress()
    val request = Request.Builder().url(address.url)
    address.token?.let { request.header("Authorization", "Bearer $it") }
    val trial = SocketTrial()
    val socket = newWebSocket(request.build(), trial)
    try {
        val opened = withTimeoutOrNull(LONGEST_WAIT) { trial.opened.await() }
            ?: return Opened.Failed(InterruptedIOException("no answer"))
        socket.close(NORMAL, null)
        withTimeoutOrNull(CLOSE_WAIT) { trial.ended.await() }
        return opened
    } finally {
        socket.cancel()
    }
}

private class SocketTrial : WebSocketListener() {
    val opened = CompletableDeferred<Opened>()
    val ended = CompletableDeferred<Unit>()

    override fun onOpen(webSocket: WebSocket, response: Response) {
        opened.complete(Opened.Yes)
    }

    override fun onClosed(webSocket: WebSocket, code: Int, reason: String) {
        ended.complete(Unit)
    }

    override fun onFailure(webSocket: WebSocket, t: Throwable, response: Response?) {
        val failure = t as? IOException ?: IOException(t.javaClass.simpleName, t)
        opened.complete(if (response == null) Opened.Failed(failure) else Opened.Refused(response.code))
        ended.complete(Unit)
    }
}

private const val NORMAL = 1000
private val CLOSE_WAIT = 2.seconds
