package org.cetp.bridge.app.screens

import android.content.Intent
import android.net.Uri
import android.view.View
import android.widget.EditText
import org.cetp.bridge.app.R
import org.cetp.bridge.gateway.GatewayProblem
import org.cetp.bridge.gateway.PairingResult
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = FakeParts::class)
class PairingActivityTest {
    @Test
    fun `what is wrong is said at its field, and nothing is asked`() = onScreen<PairingActivity> {
        type(address = "192.168.1.5:99999", code = "1234")
        assertEquals("Address: a port is a number from 1 to 65535.", textOf(R.id.pairing_address_problem))
        assertEquals("Code: 12 digits are wanted, such as 1234-5678-9012.", textOf(R.id.pairing_code_problem))
        type(address = "192.168.1.5:42617", code = "1234")
        assertNull(textOf(R.id.pairing_address_problem))
        assertTrue(findViewById<EditText>(R.id.pairing_code).isFocused)
        assertEquals(emptyList<PairingRequest>(), fakeParts.asked)
    }

    @Test
    fun `an unencrypted address outside of a private network is refused before anything is sent`() =
        onScreen<PairingActivity> {
            type(address = "http://box.example.org:42617", code = CODE)
            assertEquals(
                "Address: unencrypted is allowed only within a private network. Use an https:// address.",
                textOf(R.id.pairing_address_problem),
            )
            assertEquals(emptyList<PairingRequest>(), fakeParts.asked)
        }

    @Test
    fun `a good address and code pair, and the code is gone from the screen`() = onScreen<PairingActivity> {
        type(address = "192.168.1.5:42617", code = "1234 5678 9012")
        assertEquals("http://192.168.1.5:42617", fakeParts.asked.single().address.url)
        assertEquals("Pairing…", textOf(R.id.pairing_result_title))
        assertFalse(findViewById<View>(R.id.pairing_pair).isEnabled)
        answer(PairingResult.Paired(home, lasting = true))
        assertEquals("Paired", textOf(R.id.pairing_result_title))
        assertEquals("", findViewById<EditText>(R.id.pairing_code).text.toString())
        assertEquals(home.url, textOf(R.id.pairing_known_address))
    }

    @Test
    fun `a pairing that the gateway could not save is told as such`() = onScreen<PairingActivity> {
        type(address = "192.168.1.5:42617", code = CODE)
        answer(PairingResult.Paired(home, lasting = false))
        assertTrue(textOf(R.id.pairing_result_detail).orEmpty().contains("forgets it when it stops"))
    }

    @Test
    fun `a token that the key store cannot keep is told, and the phone is not paired`() = onScreen<PairingActivity> {
        fakeParts.keeps = false
        type(address = "192.168.1.5:42617", code = CODE)
        answer(PairingResult.Paired(home, lasting = true))
        assertEquals("The phone could not keep the gateway’s token", textOf(R.id.pairing_result_title))
        assertNull(textOf(R.id.pairing_known_address))
    }

    @Test
    fun `a failure says what is wrong and what to do next, and can be tried again`() = onScreen<PairingActivity> {
        type(address = "192.168.1.5:42617", code = CODE)
        answer(PairingResult.Failed(GatewayProblem.WrongCode))
        assertEquals("The code is wrong, used or expired.", textOf(R.id.pairing_result_title))
        assertEquals("On the gateway’s machine, “cetp pair” makes a new one.", textOf(R.id.pairing_result_detail))
        assertTrue(findViewById<View>(R.id.pairing_pair).isEnabled)
    }

    @Test
    fun `a link pairs only after its address was shown and the button touched`() = onScreen<PairingActivity>(link()) {
        assertEquals("https://box.home.arpa:42617", textOf(R.id.pairing_link_address))
        assertEquals(emptyList<PairingRequest>(), fakeParts.asked)
        touch(R.id.pairing_link_pair)
        val asked = fakeParts.asked.single()
        assertEquals("https://box.home.arpa:42617", asked.address.url)
        assertEquals(PIN, asked.pin.toString())
    }

    @Test
    fun `a link that is not wanted leaves the screen for typing, also after a turn of the phone`() {
        Robolectric.buildActivity(PairingActivity::class.java, link()).use { controller ->
            controller.setup().get().touch(R.id.pairing_link_refuse)
            controller.recreate()
            settle()
            assertNull(controller.get().textOf(R.id.pairing_link_address))
            assertTrue(controller.get().findViewById<View>(R.id.pairing_pair).isSeen())
            assertEquals(emptyList<PairingRequest>(), fakeParts.asked)
        }
    }

    @Test
    fun `a link that cannot be used says so and offers no pairing`() {
        val bad = Uri.parse("cetp://pair?gateway=http%3A%2F%2F10.0.0.1%3A1&code=12")
        onScreen<PairingActivity>(Intent(Intent.ACTION_VIEW, bad)) {
            assertEquals("This link cannot be used", textOf(R.id.pairing_link_title))
            assertFalse(findViewById<View>(R.id.pairing_link_pair).isSeen())
        }
    }

    @Test
    fun `a second link takes the place of the first on an open screen`() {
        Robolectric.buildActivity(PairingActivity::class.java, link()).use { controller ->
            controller.setup().newIntent(link("https%3A%2F%2Fother.home.arpa%3A42617"))
            settle()
            assertEquals("https://other.home.arpa:42617", controller.get().textOf(R.id.pairing_link_address))
        }
    }

    @Test
    fun `a pairing goes on when the phone is turned`() {
        Robolectric.buildActivity(PairingActivity::class.java).use { controller ->
            controller.setup().get().type(address = "192.168.1.5:42617", code = CODE)
            controller.recreate()
            settle()
            assertEquals("Pairing…", controller.get().textOf(R.id.pairing_result_title))
            answer(PairingResult.Paired(home, lasting = true))
            assertEquals("Paired", controller.get().textOf(R.id.pairing_result_title))
            assertEquals(1, fakeParts.asked.size)
        }
    }

    private fun PairingActivity.type(address: String, code: String) {
        findViewById<EditText>(R.id.pairing_address).setText(address)
        findViewById<EditText>(R.id.pairing_code).setText(code)
        touch(R.id.pairing_pair)
    }

    private fun answer(result: PairingResult) {
        fakeParts.answer.complete(result)
        settle()
    }

    private fun link(gateway: String = "https%3A%2F%2Fbox.home.arpa%3A42617") =
        Intent(Intent.ACTION_VIEW, Uri.parse("cetp://pair?gateway=$gateway&code=$CODE&pin=${Uri.encode(PIN)}"))

    private companion object {
        const val CODE = "1234-5678-9012"
        const val PIN = "sha256/LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564="
    }
}
