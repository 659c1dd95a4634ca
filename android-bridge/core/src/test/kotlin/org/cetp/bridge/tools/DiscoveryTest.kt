package org.cetp.bridge.tools

import org.cetp.bridge.Requirement
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.protocol.CetpContract
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class DiscoveryTest {
    private val right = FakeApp.entry(NOTES)
    private val provider = checkNotNull(right.authority)

    @Test
    fun `A manifest that is as it must be gives the place to call`() {
        assertEquals(ProviderAddress(NOTES, "$NOTES.tools"), found(right).address)
    }

    @Test
    fun `What is wrong with a manifest is said in words`() {
        val wrong = mapOf(
            right.copy(exported = false) to "its service is not exported",
            right.copy(signer = "") to "its signing certificate cannot be read",
            right.copy(authority = null) to "it has no ContentProvider with the authority \"$NOTES.tools\"",
            right.copy(authority = provider.copy(packageName = "com.evil")) to
                "the authority \"$NOTES.tools\" belongs to another app",
            right.copy(authority = provider.copy(exported = false)) to "its ContentProvider is not exported",
            right.copy(authority = provider.copy(permission = null)) to
                "its ContentProvider does not require ${CetpContract.Discovery.PERMISSION}",
            right.copy(authority = provider.copy(permission = "a.b")) to
                "its ContentProvider requires \"a.b\" in place of ${CetpContract.Discovery.PERMISSION}",
            naming("a;b") to "the meta-data names several authorities; it must name one",
            naming(2130837504) to "the meta-data ${CetpContract.Discovery.AUTHORITY} is no text",
            naming(null) to "the meta-data ${CetpContract.Discovery.AUTHORITY} is missing",
        )
        for ((entry, detail) in wrong) assertEquals(ProviderProblem.BadManifest(detail), problem(entry))
    }

    @Test
    fun `A provider that is switched off cannot be reached`() {
        assertTrue(problem(right.copy(authority = provider.copy(enabled = false))) is ProviderProblem.NotReached)
    }

    @Requirement("cetp.2.5.version-check")
    @Test
    fun `Versions count as the integer, its text, or a list of texts that holds it`() {
        val spoken = listOf(1, "1", " 1 ", "1,2", "2, 1", listOf("2", "1"))
        assertEquals(emptyList<Any>(), spoken.filter { problem(speaking(it)) != null })
        val unknown = listOf(null, 2, 0, 1.0f, 1L, true, "", "2", "1.0", "11", "one", "1;2", listOf("2"), listOf(1))
        assertEquals(emptyList<Any?>(), unknown.filter { problem(speaking(it)) !is ProviderProblem.UnknownVersion })
    }

    @Test
    fun `Several services of one app count once when they name one authority`() {
        val second = right.copy(serviceName = "$NOTES.Another")
        assertEquals(listOf(found(right)), Discovery.providers(listOf(right, second)))
    }

    @Test
    fun `A service that is right counts beside one that is not, in any order`() {
        val wrong = right.copy(serviceName = "$NOTES.Another", exported = false)
        assertEquals(listOf(found(right)), Discovery.providers(listOf(right, wrong)))
        assertEquals(listOf(found(right)), Discovery.providers(listOf(wrong, right)))
    }

    @Test
    fun `Services of one app that name different authorities cost that app alone`() {
        val other = provider.copy(authorities = listOf("$NOTES.other"))
        val second = naming("$NOTES.other").copy(serviceName = "B", authority = other)
        val found = Discovery.providers(listOf(right, second, FakeApp.entry("com.example.maps")))
        assertEquals(listOf("com.example.maps"), found.filter { it.address != null }.map { it.packageName })
        assertEquals(listOf("com.example.maps", NOTES), found.map { it.packageName })
    }

    @Test
    fun `A hostile name cannot break its line, turn its direction or fill the screen`() {
        assertEquals("Notes evil", found(right.copy(appName = "\u202ENotes\nevil\u0000")).appName)
        assertEquals(100, found(right.copy(appName = "x".repeat(5_000))).appName.length)
        assertEquals(NOTES, found(right.copy(appName = "\n")).appName)
    }

    @Test
    fun `With too many providers those that the owner allowed are looked at`() {
        val many = List(Discovery.MAX_PROVIDERS) { FakeApp.entry("a.p$it") } + FakeApp.entry("z.allowed")
        val found = Discovery.providers(many.shuffled(), first = setOf("z.allowed"))
        assertEquals(Discovery.MAX_PROVIDERS, found.size)
        assertEquals("z.allowed", found.last().packageName)
    }

    private fun found(entry: ServiceEntry): FoundProvider = Discovery.providers(listOf(entry)).single()

    private fun problem(entry: ServiceEntry): ProviderProblem? = when (val manifest = found(entry).manifest) {
        is FoundProvider.Manifest.Sound -> null
        is FoundProvider.Manifest.Unsound -> manifest.problem
    }

    private fun naming(authority: Any?): ServiceEntry =
        right.copy(metaData = right.metaData + (CetpContract.Discovery.AUTHORITY to authority))

    private fun speaking(version: Any?): ServiceEntry =
        right.copy(metaData = right.metaData + (CetpContract.Discovery.VERSION to version))

    private companion object {
        const val NOTES = "com.example.notes"
    }
}
