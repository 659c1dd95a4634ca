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
import org.cetp.bridge.protocol.CetpContract.Method
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** Packages come, change and go, and apps fail, while the catalog runs. */
@OptIn(ExperimentalCoroutinesApi::class)
class CatalogChangesTest {
    @Test
    fun `Changes of packages within a moment lead to one look`() = runTest {
        val phone = CatalogPhone.allowing(this, FakeApp.offering(NOTES, "search"))
        phone.start()
        repeat(5) { phone.source.install(FakeApp.offering(NOTES, "search", "recent")) }
        runCurrent()
        assertEquals(1, phone.asked(NOTES))
        advanceTimeBy(1.seconds)
        runCurrent()
        assertEquals(2, phone.asked(NOTES))
        assertEquals(listOf("notes__recent", "notes__search"), phone.names)
    }

    @Test
    fun `The tools of a removed app go at once, even while another app hangs`() = runTest {
        var hangs = false
        val other =
            FakeApp(MAPS) { _, _ -> if (hangs) awaitCancellation() else FakeApp.success(FakeApp.toolList("look")) }
        val phone = CatalogPhone.allowing(this, FakeApp.offering(NOTES, "search"), other)
        phone.start()
        hangs = true
        phone.source.remove(NOTES)
        phone.catalog.rescan()
        runCurrent()
        assertEquals(listOf("maps__look"), phone.names)
        assertEquals(listOf(MAPS), phone.catalog.providers.value.map { it.packageName })
    }

    @Test
    fun `A look that fails changes nothing and is repeated after a pause`() = runTest {
        val phone = CatalogPhone.allowing(this, FakeApp.offering(NOTES, "search"))
        phone.start()
        phone.source.scanFailure = IllegalStateException("the package manager has died")
        phone.source.install(FakeApp.offering(NOTES, "recent"))
        advanceTimeBy(2.seconds)
        assertEquals(listOf("notes__search"), phone.names)
        phone.source.scanFailure = null
        advanceTimeBy(5.seconds)
        assertEquals(listOf("notes__recent"), phone.names)
    }

    @Test
    fun `While apps are asked anew the tools of before stay in force`() = runTest {
        var pause = 0.seconds
        val app = FakeApp(NOTES) { _, _ ->
            delay(pause)
            FakeApp.success(FakeApp.toolList("search"))
        }
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        phone.catalog.catalog.test {
            assertEquals(1, awaitItem().tools.size)
            pause = 5.seconds
            phone.catalog.rescan()
            advanceTimeBy(20.seconds)
            expectNoEvents()
        }
    }

    @Test
    fun `An app that hangs is not asked a second time before the first has ended`() = runTest {
        val phone = CatalogPhone.allowing(this, FakeApp(NOTES) { _, _ -> awaitCancellation() })
        phone.start()
        repeat(3) {
            phone.catalog.rescan()
            runCurrent()
        }
        assertEquals(1, phone.asked(NOTES))
        advanceTimeBy(10.seconds)
        runCurrent()
        assertEquals(2, phone.asked(NOTES))
    }

    @Test
    fun `An app that answered before and cannot be reached now keeps its tools, and its owner sees it`() = runTest {
        var result: CallResult = FakeApp.success(FakeApp.toolList("search"))
        val phone = CatalogPhone.allowing(this, FakeApp(NOTES) { _, _ -> result })
        phone.start()
        for (passing in PASSING) {
            result = passing
            phone.catalog.rescan()
            runCurrent()
            assertEquals("$passing", listOf("notes__search"), phone.names)
            assertEquals("$passing", true, phone.state(NOTES).problem != null)
        }
    }

    @Test
    fun `An app that answers that it has no tools for us loses them`() = runTest {
        for (lasting in LASTING) {
            var result: CallResult = FakeApp.success(FakeApp.toolList("search"))
            val phone = CatalogPhone.allowing(this, FakeApp(NOTES) { _, _ -> result })
            phone.start()
            assertEquals(1, phone.names.size)
            result = lasting
            phone.catalog.rescan()
            runCurrent()
            assertEquals("$lasting", emptyList<String>(), phone.names)
        }
    }

    @Requirement("cetp.3.3.retry")
    @Test
    fun `An app that cannot be reached is tried again with growing pauses, and not after it is removed`() = runTest {
        val phone = CatalogPhone.allowing(this, FakeApp(NOTES) { _, _ -> DIED })
        phone.start()
        val asked = listOf(0, 5, 10, 20, 40).map { pause ->
            advanceTimeBy(pause.seconds)
            runCurrent()
            phone.asked(NOTES)
        }
        assertEquals(listOf(1, 2, 3, 4, 5), asked)
        advanceTimeBy(100.hours)
        assertEquals(true, phone.asked(NOTES) in 100..120)
        phone.source.remove(NOTES)
        advanceTimeBy(2.seconds)
        val before = phone.asked(NOTES)
        advanceTimeBy(100.hours)
        assertEquals(before, phone.asked(NOTES))
    }

    @Test
    fun `An app that may let us in at any time is tried again, and one whose answer is broken is not`() = runTest {
        val refusing = FakeApp(NOTES) { _, _ -> FakeApp.failure("AUTH_REQUIRED", "sign in") }
        val broken = FakeApp(MAPS) { _, _ -> FakeApp.success("[]") }
        val phone = CatalogPhone.allowing(this, refusing, broken)
        phone.start()
        advanceTimeBy(6.seconds)
        assertEquals(ProviderProblem.NotPermitted("[AUTH_REQUIRED] sign in"), phone.state(NOTES).problem)
        assertEquals(listOf(2, 1), listOf(phone.asked(NOTES), phone.asked(MAPS)))
    }

    @Test
    fun `An app without a process is woken once and asked again`() = runTest {
        var awake = false
        val app = FakeApp(NOTES, wake = {
            awake = true
            true
        }) { _, _ ->
            if (awake) FakeApp.success(FakeApp.toolList("search")) else UNKNOWN
        }
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        assertEquals(listOf("notes__search"), phone.names)
        assertEquals(listOf(NOTES), phone.source.woken)
    }

    @Test
    fun `An app that cannot be woken is not asked again at once, and one that hangs at it holds nobody up`() = runTest {
        val dead = FakeApp(NOTES) { _, _ -> UNKNOWN }
        val hanging = FakeApp(MAPS, wake = { awaitCancellation() }) { _, _ -> UNKNOWN }
        val phone = CatalogPhone.allowing(this, dead, hanging)
        phone.start()
        assertEquals(1, phone.asked(NOTES))
        assertEquals(ProviderProblem.NotReached("nobody has it"), phone.state(NOTES).problem)
        assertNull(phone.state(MAPS).problem)
        advanceTimeBy(5.seconds)
        runCurrent()
        assertEquals(ProviderProblem.NotReached("nobody has it"), phone.state(MAPS).problem)
    }

    @Test
    fun `A second app of the same label renames the tools of both, whether it is allowed or not`() = runTest {
        val phone = CatalogPhone.allowing(this, FakeApp.offering("com.alpine.notes", "search"))
        phone.start()
        assertEquals(listOf("notes__search"), phone.names)
        phone.source.install(FakeApp.offering("org.bergsee.notes", "search"))
        advanceTimeBy(2.seconds)
        assertEquals(listOf("notes_62ac__search"), phone.names)
        phone.allow("org.bergsee.notes")
        assertEquals(listOf("notes_62ac__search", "notes_cbd2__search"), phone.names)
    }

    @Test
    fun `A call that ends after its app was removed changes nothing`() = runTest {
        val app = FakeApp(NOTES) { method, _ ->
            if (method == Method.LIST_TOOLS) delay(500.milliseconds)
            FakeApp.success(FakeApp.toolList("search"))
        }
        val phone = CatalogPhone.allowing(this, app)
        phone.start()
        phone.source.remove(NOTES)
        phone.catalog.rescan()
        advanceTimeBy(5.seconds)
        assertEquals(emptyList<ProviderState>(), phone.catalog.providers.value)
        assertEquals(Catalog.EMPTY, phone.catalog.catalog.value)
    }

    private companion object {
        const val NOTES = "com.example.notes"
        const val MAPS = "com.example.maps"
        val UNKNOWN = CallResult.NotDelivered(CallResult.Reason.UNKNOWN_AUTHORITY, "nobody has it")
        val DIED = CallResult.Broken(CallResult.Break.DIED, "gone")
        val PASSING = listOf(
            UNKNOWN, DIED,
            CallResult.NotDelivered(CallResult.Reason.NOT_STARTED, "no process"),
            CallResult.Broken(CallResult.Break.THREW, "IllegalStateException"),
            FakeApp.failure("RATE_LIMITED", "later"),
            FakeApp.failure("INTERNAL_ERROR", "closed"),
            CallResult.Answered(null),
        )
        val LASTING = listOf(
            FakeApp.success(FakeApp.toolList()), FakeApp.success("{}"), FakeApp.failure("PERMISSION_DENIED", "no"),
            FakeApp.failure("TOOL_NOT_FOUND", "no such method"),
            CallResult.NotDelivered(CallResult.Reason.NOT_PERMITTED, "nobody defines the permission"),
            CallResult.Broken(CallResult.Break.TOO_LARGE, "2 MB"),
        )
    }
}
