package org.cetp.bridge.gateway

import org.junit.Assert.assertEquals
import org.junit.Test
import java.net.InetAddress

class CleartextRuleTest {
    private fun allowed(hosts: List<String>) = hosts.associateWith { CleartextRule.allows(good("http://$it:42617")) }

    private fun private(addresses: List<String>) =
        addresses.associateWith { CleartextRule.isPrivate(InetAddress.getByName(it)) }

    @Test
    fun `a token may go unencrypted to this device and into private networks`() {
        val hosts = listOf(
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.5", "169.254.7.7",
            "[::1]", "[fe80::1]", "[fd12:3456::1]", "[::ffff:192.168.1.5]", "localhost", "box", "box.local", "box.lan",
        )
        assertEquals(hosts.associateWith { true }, allowed(hosts))
    }

    @Test
    fun `everywhere else it needs TLS`() {
        val hosts = listOf(
            "8.8.8.8", "172.32.0.1", "192.169.0.1", "100.64.0.1", "[2001:db8::1]", "[::ffff:8.8.8.8]", "[fec0::1]",
            "gw.example.org", "local.example.org", "box.local.example",
        )
        assertEquals(hosts.associateWith { false }, allowed(hosts))
        assertEquals(true, CleartextRule.allows(good("https://gw.example.org")))
    }

    @Test
    fun `what a name resolves to is judged by the address alone`() {
        assertEquals(mapOf("192.168.1.5" to true, "fd00::5" to true), private(listOf("192.168.1.5", "fd00::5")))
        val public = listOf("93.184.216.34", "224.0.0.251", "255.255.255.255", "0.0.0.0", "ff02::1", "64:ff9b::a00:1")
        assertEquals(public.associateWith { false }, private(public))
    }
}
