package org.cetp.bridge.gateway

import org.junit.Assert.assertEquals
import org.junit.Test

class GatewayAddressTest {
    private fun url(text: String) = good(text).url

    private fun problem(text: String) = (GatewayAddress.parse(text) as AddressResult.Bad).problem

    @Test
    fun `a bare host gets the gateway's own port`() {
        assertEquals("http://192.168.1.5:42617", url("192.168.1.5"))
        assertEquals("http://box.local:42617", url(" Box.LOCAL \n"))
        assertEquals("http://box:8080", url("box:8080"))
    }

    @Test
    fun `a public host without a scheme is asked over TLS`() {
        assertEquals("https://gw.example.org:42617", url("gw.example.org"))
        assertEquals("https://203.0.113.7:42617", url("203.0.113.7"))
    }

    @Test
    fun `a URL keeps its scheme and the port that belongs to it`() {
        assertEquals("http://192.168.1.5:80", url("http://192.168.1.5/"))
        assertEquals("https://gw.example.org:443", url("HTTPS://gw.example.org///"))
        assertEquals("http://10.0.0.2:42617", url("ws://10.0.0.2:42617/ws/chat"))
        assertEquals("https://10.0.0.2:42617", url("wss://10.0.0.2:42617/ws/chat/"))
    }

    @Test
    fun `IPv6 addresses are taken with and without brackets`() {
        assertEquals("http://[fd00::1]:42617", url("fd00::1"))
        assertEquals("http://[fd00::1]:8080", url("[FD00:0:0::1]:8080"))
        assertEquals("https://[2001:db8::1]:443", url("https://[2001:db8::1]"))
    }

    @Test
    fun `a name in another script becomes punycode`() {
        assertEquals("https://xn--bcher-kva.example:443", url("https://Bücher.example"))
    }

    @Test
    fun `what is wrong is named`() {
        val wrong = mapOf(
            "  " to AddressProblem.EMPTY,
            "a".repeat(600) to AddressProblem.TOO_LONG,
            "box\u0000.local" to AddressProblem.BAD_CHARACTER,
            "box local" to AddressProblem.BAD_CHARACTER,
            "box\u202Elacol" to AddressProblem.BAD_CHARACTER,
            "http:\\\\box" to AddressProblem.BAD_CHARACTER,
            "ftp://box" to AddressProblem.BAD_SCHEME,
            "javascript://box" to AddressProblem.BAD_SCHEME,
            "http://192.168.1.5@evil.example" to AddressProblem.USER_INFO,
            "http://box/admin" to AddressProblem.HAS_PATH,
            "http://box?token=1" to AddressProblem.HAS_PATH,
            "http://box#x" to AddressProblem.HAS_PATH,
            "http://" to AddressProblem.BAD_HOST,
            "-box" to AddressProblem.BAD_HOST,
            "a..b" to AddressProblem.BAD_HOST,
            "[fe80" to AddressProblem.BAD_HOST,
            "[1.2.3.4]" to AddressProblem.BAD_HOST,
            "gggg::1" to AddressProblem.BAD_HOST,
            "[::1]x" to AddressProblem.BAD_HOST,
            "fe80::1%wlan0" to AddressProblem.BAD_ZONE,
            "0.0.0.0:42617" to AddressProblem.NOT_A_DESTINATION,
            "http://[::]:1" to AddressProblem.NOT_A_DESTINATION,
            "box:0" to AddressProblem.BAD_PORT,
            "box:65536" to AddressProblem.BAD_PORT,
            "box:" to AddressProblem.BAD_PORT,
            "box:+80" to AddressProblem.BAD_PORT,
        )
        assertEquals(wrong, wrong.mapValues { problem(it.key) })
    }

    @Test
    fun `numbers that systems read differently are no host`() {
        for (text in listOf("2130706433", "0x7f000001", "127.1", "192.168.010.1", "1.2.3.256", "1.2.3.4.5", "box.1")) {
            assertEquals(text, AddressProblem.BAD_HOST, problem(text))
        }
    }
}
