package org.cetp.bridge.tools

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

class DecisionTest {
    private val allowed = Decision(allowed = true, signer = "abc").withTool("delete_note", allowed = true)

    @Test
    fun `Consent counts for the certificate it was given to`() {
        assertEquals(Consent.ALLOWED, allowed.consent("abc"))
        assertEquals(Consent.SIGNER_CHANGED, allowed.consent("xyz"))
        assertEquals(Consent.REFUSED, allowed.then(allowed = false, "abc").consent("xyz"))
    }

    @Test
    fun `To allow the same app again changes nothing, and what another signer made has to ask for each tool anew`() {
        assertEquals(allowed, allowed.then(allowed = true, "abc"))
        assertEquals(Decision(allowed = true, signer = "xyz"), allowed.then(allowed = true, "xyz"))
    }

    @Test
    fun `What its tools were allowed falls with the app`() {
        val again = allowed.then(allowed = false, "abc").then(allowed = true, "abc")
        assertEquals(emptySet<String>(), again.writingTools)
    }

    @Test
    fun `A tool of an app that is not allowed cannot be allowed`() {
        val refused = Decision(allowed = false, signer = "abc")
        assertEquals(refused, refused.withTool("delete_note", allowed = true))
    }

    @Test
    fun `A decision comes back from its text as it was`() {
        val decision = allowed.withTool("天气\n\"\u0001", allowed = true)
        assertEquals(decision, Decision.decode(decision.encode()))
    }

    @Test
    fun `Text that is no decision counts as none`() {
        val texts = listOf(
            "", "true", "{}", "[]", """{"allowed":"true","signer":"abc","writing_tools":[]}""",
            """{"allowed":true,"writing_tools":[]}""", """{"allowed":true,"signer":"abc"}""",
        )
        texts.forEach { assertNull(it, Decision.decode(it)) }
    }
}
