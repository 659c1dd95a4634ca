package org.cetp.bridge.gateway

import okhttp3.Call
import okhttp3.EventListener
import okhttp3.Handshake
import okhttp3.Protocol
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Proxy

/** How far a call got. Written by the call's thread, read when the call has ended or has been given up. */
internal class ProbeTrace : EventListener() {
    /** What the name led to; empty for an address that needs no name service. */
    @Volatile var resolved: List<InetAddress> = emptyList()
        private set

    /** Where a connection was tried last. */
    @Volatile var tried: InetSocketAddress? = null
        private set

    @Volatile var reached: Boolean = false
        private set

    @Volatile var handshake: Handshake? = null
        private set

    override fun dnsEnd(call: Call, domainName: String, inetAddressList: List<InetAddress>) {
        resolved = inetAddressList
    }

    override fun connectStart(call: Call, inetSocketAddress: InetSocketAddress, proxy: Proxy) {
        tried = inetSocketAddress
        reached = false
    }

    override fun secureConnectStart(call: Call) {
        reached = true
    }

    override fun secureConnectEnd(call: Call, handshake: Handshake?) {
        this.handshake = handshake
    }

    override fun connectEnd(call: Call, inetSocketAddress: InetSocketAddress, proxy: Proxy, protocol: Protocol?) {
        reached = true
    }
}
