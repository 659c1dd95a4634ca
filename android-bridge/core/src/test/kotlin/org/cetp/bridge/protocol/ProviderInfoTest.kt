package org.cetp.bridge.protocol

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

class ProviderInfoTest {
    @Test
    fun `All that it says is read`() {
        val scopesAsText = """[{"name":"notes","description":"Texts"},{"name":"days"}]"""
        val info = ProviderInfo.decode("""{"provider_name":"MyApp","description":"数据","scopes":$scopesAsText}""")
        val scopes = listOf(ProviderInfo.Scope("notes", "Texts"), ProviderInfo.Scope("days", null))
        assertEquals(ProviderInfo("MyApp", "数据", scopes), info)
    }

    @Test
    fun `A name cannot break its line or turn its direction`() {
        assertEquals("My App", ProviderInfo.decode("""{"provider_name":"\u202e My\nApp\u0000"}""")?.name)
        assertNull(ProviderInfo.decode("""{"provider_name":"\u202e \n"}"""))
    }

    @Test
    fun `It is cut to what a screen shows`() {
        val scopes = List(60) { """{"name":"s$it"}""" }.joinToString(",")
        val info = checkNotNull(ProviderInfo.decode("""{"provider_name":"${"n".repeat(500)}","scopes":[$scopes]}"""))
        assertEquals(100, info.name.length)
        assertEquals(50, info.scopes.size)
    }

    @Test
    fun `One that is no JSON or too long counts as none`() {
        assertNull(ProviderInfo.decode("MyApp"))
        assertNull(ProviderInfo.decode("""{"provider_name":"MyApp","x":"${"x".repeat(100_000)}"}"""))
    }
}
