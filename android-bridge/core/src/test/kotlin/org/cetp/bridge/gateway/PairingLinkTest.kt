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
    fun `neither a link nor a code shows the code when printed`() {
        val link = link("cetp://pair?gateway=http://10.0.0.2:42617&code=1234-5678-9012")
        assertFalse("1234" in "$link ${link.code} ${LinkResult.Good(link)}")
    }

    @Test
    fun `a typed code may have blanks, any hyphens and any digits`() {
        val right = listOf("1234-5678-9012", " 1234 5678 9012 ", "123456789012", "１２３４－５６７８－９０１２")
        for (text in right) {
            assertEquals(text, "1234-5678-9012", PairingCode.typed(text)?.text)
        }
        val wrong = listOf("", "1234-5678-901", "1234-5678-90123", "1234-5678-901a")
        for (text in wrong) assertNull(text, PairingCode.typed(text))
    }

    @Test
    fun `a pin is 32 bytes in BASE64 and nothing else`() {
        assertTrue(CertificatePin.parse(pin) != null)
        val wrong =
            listOf("sha256/", pin.dropLast(1), "SHA256" + pin.drop(6), "$pin=", pin.replace("+", "-"), "sha256/AAAA")
        for (text in wrong) assertNull(text, CertificatePin.parse(text))
    }
}
