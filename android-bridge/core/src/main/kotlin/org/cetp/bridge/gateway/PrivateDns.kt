package org.cetp.bridge.gateway

import okhttp3.Dns
import java.net.InetAddress
import java.net.UnknownHostException

/** Keeps an unencrypted connection within a private network, whatever a name resolves to at that moment. */
internal data class PrivateDns(private val system: Dns) : Dns {
    override fun lookup(hostname: String): List<InetAddress> {
        val private = system.lookup(hostname).filter(CleartextRule::isPrivate)
        if (private.isEmpty()) throw NotPrivate(hostname)
        return private
    }
}

/** The name resolved, but to public addresses only. */
internal class NotPrivate(host: String) : UnknownHostException("$host is not on a private network")
