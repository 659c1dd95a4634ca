package org.cetp.bridge.session

import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import okhttp3.WebSocket
import okhttp3.WebSocketListener
import java.net.ConnectException
import java.net.NoRouteToHostException
import java.net.ProtocolException
import java.net.SocketTimeoutException
import java.net.UnknownHostException
import java.util.concurrent.atomic.AtomicBoolean
import javax.net.ssl.SSLException

/**
 * Sockets of OkHttp.
 *
 * The client brings the time-outs and the interval of pings, the only thing that goes on while nobody calls. OkHttp
 * queues up to 16 MiB of messages and cuts a socket 60 s after a closing that its peer did not answer.
 */
public class OkHttpTransport(private val client: OkHttpClient) : Transport {
    override fun open(address: SocketAddress, listener: Transport.Listener): Transport.Socket {
        val request = Request.Builder().url(address.url)
        address.token?.let { request.header("Authorization", "Bearer $it") }
        val ears = OkHttpEars(listener)
        return OkHttpSocket(client.newWebSocket(request.build(), ears), ears)
    }
}

private class OkHttpSocket(private val socket: WebSocket, private val ears: OkHttpEars) : Transport.Socket {
    override fun send(text: String): Boolean = socket.send(text)

    override fun close(code: Int) {
        val said = ears.isOpen.get() && socket.close(code, null)
        if (!said) socket.cancel()
    }
}

/** Called from OkHttp's threads, one callback at a time. */
private class OkHttpEars(private val listener: Transport.Listener) : WebSocketListener() {
    val isOpen = AtomicBoolean()

    /** Whether the end has been told. */
    private val over = AtomicBoolean()

    override fun onOpen(webSocket: WebSocket, response: Response) {
        isOpen.set(true)
        listener.onOpen()
    }

    override fun onMessage(webSocket: WebSocket, text: String) {
        if (!over.get()) listener.onText(text)
    }

    override fun onClosing(webSocket: WebSocket, code: Int, reason: String) {
        // The peer is answered at once: nothing more is to be said to it.
        webSocket.close(GOOD_BYE, null)
        closed(code, reason)
    }

    override fun onClosed(webSocket: WebSocket, code: Int, reason: String): Unit = closed(code, reason)

    override fun onFailure(webSocket: WebSocket, t: Throwable, response: Response?) {
        if (!over.compareAndSet(false, true)) return
        listener.onFailed(response?.code?.takeIf { it != SWITCHING }, inWords(t))
    }

    private fun closed(code: Int, reason: String) {
        if (over.compareAndSet(false, true)) listener.onClosed(code, reason)
    }

    private fun inWords(failure: Throwable): String = when (failure) {
        is UnknownHostException -> "the gateway's name is not known in this network"
        is ConnectException, is NoRouteToHostException -> "nothing answers at the gateway's address"
        is SocketTimeoutException -> "the gateway does not answer in time"
        is SSLException -> "the gateway's certificate or encryption is not as it should be"
        is ProtocolException -> "what answers does not speak as a gateway does"
        else -> "the connection broke"
    }

    private companion object {
        const val GOOD_BYE = 1000
        const val SWITCHING = 101
    }
}
