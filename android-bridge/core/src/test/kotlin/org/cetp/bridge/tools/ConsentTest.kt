package org.cetp.bridge.tools

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.FakeProviderSource
import org.junit.Assert.assertEquals
import org.junit.Test
import kotlin.time.Duration.Companion.seconds

/** No app is called and no tool offered against its owner's will. */
@OptIn(ExperimentalCoroutinesApi::class)
class ConsentTest {
    private val app = FakeApp.offering(NOTES, "search", "delete_note")

    @Test
    fun `An app that nobody was asked about is shown and not called`() = runTest {
        val phone = CatalogPhone(this, FakeProviderSource(app))
        phone.start()
        advanceTimeBy(60.seconds)
        assertEquals(Consent.NOT_ASKED, phone.state(NOTES).consent)
        assertEquals(emptyList<ToolState>(), phone.state(NOTES).tools)
        assertEquals(emptyList<FakeProviderSource.Call>(), phone.source.calls)
    }

    @Test
    fun `An app that is allowed is asked at once, and after a refusal nothing of it is left`() = runTest {
        val phone = CatalogPhone(this, FakeProviderSource(app))
        phone.start()
        phone.allow(NOTES)
        assertEquals(listOf("notes__search"), phone.names)
        phone.catalog.allow(NOTES, allowed = false)
        runCurrent()
        assertEquals(Catalog.EMPTY, phone.catalog.catalog.value)
        assertEquals(Consent.REFUSED, phone.state(NOTES).consent)
        assertEquals(emptyList<ToolState>(), phone.state(NOTES).tools)
    }

    @Test
    fun `Consent is remembered by the next process`() = runTest {
        val first = CatalogPhone(this, FakeProviderSource(app))
        first.start()
        first.allow(NOTES)
        val second = CatalogPhone(this, FakeProviderSource(app), first.store)
        second.start()
        assertEquals(listOf("notes__search"), second.names)
    }

    @Test
    fun `An app that somebody else signed is not called until it is allowed again`() = runTest {
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        val entry = FakeApp.entry(NOTES, signer = "another")
        phone.source.install(FakeApp.offering(NOTES, "search", services = listOf(entry)))
        advanceTimeBy(2.seconds)
        assertEquals(Consent.SIGNER_CHANGED, phone.state(NOTES).consent)
        assertEquals(emptyList<String>(), phone.names)
        assertEquals(1, phone.asked(NOTES))
        phone.allow(NOTES)
        assertEquals(listOf("notes__search"), phone.names)
    }

    @Test
    fun `A tool that says it writes waits for the owner, by its word`() = runTest {
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        val held = phone.state(NOTES).tools.single { it.name == "delete_note" }
        assertEquals(ToolStanding.SaysItWrites("delete"), held.standing)
        assertEquals(null, held.wireName)
        phone.catalog.allowTool(NOTES, "delete_note", allowed = true)
        runCurrent()
        assertEquals(listOf("notes__delete_note", "notes__search"), phone.names)
        phone.catalog.allowTool(NOTES, "delete_note", allowed = false)
        runCurrent()
        assertEquals(listOf("notes__search"), phone.names)
        assertEquals("a decision asks nobody anew", 1, phone.asked(NOTES))
    }

    @Test
    fun `What a tool was allowed falls with its app and does not return with it`() = runTest {
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        phone.catalog.allowTool(NOTES, "delete_note", allowed = true)
        phone.catalog.allow(NOTES, allowed = false)
        phone.allow(NOTES)
        assertEquals(listOf("notes__search"), phone.names)
    }

    @Test
    fun `A tool of an app that is not allowed cannot be allowed beforehand`() = runTest {
        val phone = CatalogPhone(this, FakeProviderSource(app))
        phone.start()
        phone.catalog.allowTool(NOTES, "delete_note", allowed = true)
        phone.allow(NOTES)
        assertEquals(listOf("notes__search"), phone.names)
    }

    @Test
    fun `Consent from before a removal counts again for the same signer, and so does a refusal meanwhile`() = runTest {
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        phone.source.remove(NOTES)
        advanceTimeBy(2.seconds)
        phone.source.install(app)
        advanceTimeBy(2.seconds)
        assertEquals(listOf("notes__search"), phone.names)
        phone.source.remove(NOTES)
        advanceTimeBy(2.seconds)
        phone.catalog.allow(NOTES, allowed = false)
        phone.source.install(app)
        advanceTimeBy(2.seconds)
        assertEquals(Consent.REFUSED, phone.state(NOTES).consent)
    }

    private companion object {
        const val NOTES = "com.example.notes"
    }
}
