package org.cetp.bridge.gateway

import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

class PairingLinkTest {
    private val pin = "sha256/" + "+/".repeat(20) + "+/A="

    private fun link(text: String) = (PairingLink.parse(text) as LinkResult.Good).link

    @Test
    fun `a link that was written is read back`() {
        val text = "cetp://pair?gateway=https://192.168.1.5:42617&code=1234-5678-9012&pin=" +
            pin.replace("+", "%2B").replace("=", "%3D")
        val link = link(text)
        assertEquals("https://192.168.1.5:42617", link.address.url)
        assertEquals(pin, link.pin.toString())
        assertEquals(text, link.format())
    }

    @Test
    fun `parts may come in any order and be escaped`() {
        val link = link("CETP://pair/?code=123456789012&gateway=http%3A%2F%2F10.0.0.2%3A42617")
        assertEquals("cetp://pair?gateway=http://10.0.0.2:42617&code=1234-5678-9012", link.format())
    }

    @Test
    fun `whatever is not exactly a link is refused`() {
        val gateway = "gateway=http://10.0.0.2:42617"
        val code = "code=1234-5678-9012"
        val wrong = listOf(
            "", "cetp://pair", "http://pair?$gateway&$code", "cetp://evil?$gateway&$code", "cetp://pair/x?$gateway&$code",
            "cetp://pair?$gateway", "cetp://pair?$code", "cetp://pair?$gateway&$code&$code", "cetp://pair?$gateway&$code&token=x",
            "cetp://pair?$gateway&code=12345", "cetp://pair?$gateway&code=abcd-efgh-ijkl", "cetp://pair?$gateway&code=1234 5678 9012",
            "cetp://pair?gateway=10.0.0.2&$code", "cetp://pair?gateway=http://10.0.0.2@evil.example&$code",
            "cetp://pair?gateway=http://10.0.0.2%0A&$code", "cetp://pair?gateway=http://10.0.0.2%&$code",
            "cetp://pair?$gateway&$code&", "cetp://pair?$gateway&$code#x", "cetp://pair?$gateway&$code&pin=$pin",
            "cetp://pair?gateway=https://10.0.0.2&$code&pin=sha256/AAAA", "cetp://pair?gateway=https://10.0.0.2&$code&pin=md5/$pin",
            "cetp://pair?gateway=https://10.0.0.2&$code&pin=", "cetp://pair?$gateway&$code" + " ".repeat(3000) + "x",
        )
        assertEquals(wrong.associateWith { true }, wrong.associateWith { PairingLink.parse(it) is LinkResult.Bad })
    }

    @Test
    fun `neither a link nor a code shows the code when printed`() {
        val link = link("cetp://pair?gateway=http://10.0.0.2:42617&code=1234-5678-9012")
        assertFalse("1234" in "$link ${link.code} ${LinkResult.Good(link)}")
    }

    @Test
    fun `a typed code may have blanks, any hyphens and any digits`() {
        for (text in listOf("1234-5678-9012", " 1234 5678 9012 ", "123456789012", "１２３４－５６７８－９０１２")) {
            assertEquals(text, "1234-5678-9012", PairingCode.typed(text)?.text)
        }
        for (text in listOf("", "1234-5678-901", "1234-5678-90123", "1234-5678-901a")) assertNull(text, PairingCode.typed(text))
    }

    @Test
    fun `a pin is 32 bytes in BASE64 and nothing else`() {
        assertTrue(CertificatePin.parse(pin) != null)
        for (text in listOf("sha256/", pin.dropLast(1), "SHA256" + pin.drop(6), "$pin=", pin.replace("+", "-"), "sha256/AAAA")) {
            assertNull(text, CertificatePin.parse(text))
        }
    }
}
