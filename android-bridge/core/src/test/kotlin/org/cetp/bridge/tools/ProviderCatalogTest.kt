package org.cetp.bridge.tools

import app.cash.turbine.test
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.advanceTimeBy
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.Requirement
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.FakeProviderSource
import org.cetp.bridge.protocol.CetpContract.Method
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class ProviderCatalogTest {
    @Requirement("cetp.3.1.list")
    @Test
    fun `Tools of allowed apps are offered under the names that the specification gives them`() = runTest {
        val notes = FakeApp.offering(NOTES, "search", "recent")
        val phone = CatalogPhone.allowing(this, notes, FakeApp.offering(MAPS, "search"))
        phone.start()
        assertEquals(listOf("maps__search", "notes__recent", "notes__search"), phone.names)
        val tool = checkNotNull(phone.catalog.catalog.value.find("notes__search"))
        assertEquals("search", tool.spec.name)
        assertEquals(ProviderAddress(NOTES, "$NOTES.tools"), tool.address)
    }

    @Test
    fun `Tools that are found together are offered together`() = runTest {
        val phone = CatalogPhone.allowing(this, FakeApp.offering(NOTES, "search"), FakeApp.offering(MAPS, "search"))
        phone.catalog.catalog.test {
            assertEquals(Catalog.EMPTY, awaitItem())
            phone.start()
            assertEquals(2, awaitItem().tools.size)
            phone.catalog.rescan()
            runCurrent()
            expectNoEvents()
        }
    }

    @Test
    fun `An app that hangs delays nobody else beyond the moment in which answers are gathered`() = runTest {
        val hanging = FakeApp(MAPS) { _, _ -> awaitCancellation() }
        val phone = CatalogPhone.allowing(this, FakeApp.offering(NOTES, "search"), hanging)
        phone.start()
        advanceTimeBy(1.seconds)
        runCurrent()
        assertEquals(listOf("notes__search"), phone.names)
        advanceTimeBy(9.seconds)
        runCurrent()
        assertEquals(ProviderProblem.NotReached("it did not answer within 10s"), phone.state(MAPS).problem)
    }

    @Test
    fun `More apps that hang than are asked at once still delay nobody beyond their limit`() = runTest {
        val hanging = List(10) { index -> FakeApp("com.a$index.x") { _, _ -> awaitCancellation() } }
        val phone = CatalogPhone.allowing(this, FakeApp.offering("com.zebra", "look"), *hanging.toTypedArray())
        phone.start()
        advanceTimeBy(11.seconds)
        runCurrent()
        assertEquals(listOf("zebra__look"), phone.names)
    }

    @Test
    fun `At most so many apps are asked at the same time`() = runTest {
        var now = 0
        var most = 0
        val apps = List(20) { index ->
            FakeApp.offering("com.a$index.x", "get").slow {
                most = maxOf(most, ++now)
                delay(100.milliseconds)
                now--
            }
        }
        CatalogPhone.allowing(this, *apps.toTypedArray()).start()
        advanceTimeBy(10.seconds)
        assertEquals(CatalogPhone.TIMING.parallel, most)
    }

    @Test
    fun `A late answer is offered after a moment, together with others`() = runTest {
        val late = listOf(MAPS to 3_000, "com.example.meter" to 3_500).map { (name, millis) ->
            FakeApp.offering(name, "get").slow { delay(millis.milliseconds) }
        }
        val never = FakeApp("com.example.never") { _, _ -> awaitCancellation() }
        val phone = CatalogPhone.allowing(this, FakeApp.offering(NOTES, "search"), never, *late.toTypedArray())
        phone.catalog.catalog.test {
            awaitItem()
            phone.start()
            assertEquals(1, awaitItem().tools.size)
            assertEquals(3, awaitItem().tools.size)
            assertEquals(4.seconds.inWholeMilliseconds, testScheduler.currentTime)
        }
    }

    @Test
    fun `An app that is slow to say its name delays no tool`() = runTest {
        val app = FakeApp(NOTES) { method, _ ->
            if (method == Method.GET_PROVIDER_INFO) delay(3.seconds)
            val info = """{"provider_name":"My notes"}"""
            FakeApp.success(if (method == Method.LIST_TOOLS) FakeApp.toolList("search") else info)
        }
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        assertEquals(listOf("notes__search"), phone.names)
        assertNull(phone.state(NOTES).info)
        advanceTimeBy(4.seconds)
        assertEquals("My notes", phone.state(NOTES).info?.name)
    }

    @Test
    fun `One bad app costs that app and one bad tool that tool`() = runTest {
        val list = """{"tools":[{"name":"a","description":"A."},7,{"name":"c","description":"C.","parameters":[]}]}"""
        val half = FakeApp(NOTES) { _, _ -> FakeApp.success(list) }
        val bad = FakeApp(MAPS) { _, _ -> FakeApp.success("{") }
        val phone = CatalogPhone.allowing(this, half, bad)
        phone.start()
        assertEquals(listOf("notes__a"), phone.names)
        val detail = "[INTERNAL_ERROR] The app does not keep to CETP: its data is not JSON."
        assertEquals(ProviderProblem.BadAnswer(detail), phone.state(MAPS).problem)
        assertEquals(listOf("a", "#2", "c"), phone.state(NOTES).tools.map { it.name })
        assertEquals(ToolStanding.Unusable("its parameters are no object"), phone.state(NOTES).tools.last().standing)
    }

    @Test
    fun `Providers are in the order of their names, with what is wrong with their manifests`() = runTest {
        val old = FakeApp.entry(MAPS).copy(appName = "atlas", exported = false)
        val source =
            FakeProviderSource(FakeApp.offering(NOTES, "a"), FakeApp.offering(MAPS, "b", services = listOf(old)))
        val phone = CatalogPhone(this, source)
        phone.start()
        assertEquals(listOf(NOTES, MAPS), phone.catalog.providers.value.map { it.packageName })
        assertTrue(phone.state(MAPS).problem is ProviderProblem.BadManifest)
        phone.allow(MAPS)
        assertEquals(emptyList<Any>(), source.calls)
    }

    /** The same app, which takes its time before it answers `list_tools`. */
    private fun FakeApp.slow(before: suspend () -> Unit) = FakeApp(packageName, services, wake) { method, extras ->
        if (method == Method.LIST_TOOLS) before()
        answer(method, extras)
    }

    private companion object {
        const val NOTES = "com.example.notes"
        const val MAPS = "com.example.maps"
    }
}
