package org.cetp.bridge.tools

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import kotlinx.serialization.json.JsonObject
import org.cetp.bridge.fakes.FakeApp
import org.cetp.bridge.fakes.FakeProviderSource
import org.cetp.bridge.protocol.ProviderReply
import org.cetp.bridge.protocol.ToolSpec
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

@OptIn(ExperimentalCoroutinesApi::class)
class ToolRunnerTest {
    @Test
    fun `A call that does not end is given up at its deadline`() = runTest {
        val runner = runner(FakeApp.offering("a", "get") { _, _ -> awaitCancellation() })
        assertNull(runner.run(tool("a"), "{}", "1", 7.seconds))
        assertEquals(7_000, currentTime)
    }

    @Test
    fun `Where the gateway names no deadline there is one all the same, and none is for ever`() = runTest {
        val runner = runner(FakeApp.offering("a", "get") { _, _ -> awaitCancellation() })
        assertNull(runner.run(tool("a"), "{}", "1", null))
        assertEquals(28_000, currentTime)
        assertNull(runner.run(tool("a"), "{}", "2", Duration.INFINITE))
        assertEquals(628_000, currentTime)
    }

    @Test
    fun `An app gets four calls at once, the others in the order in which they came`() = runTest {
        val gates = List(6) { CompletableDeferred<Unit>() }
        val begun = ArrayList<String>()
        val app = FakeApp.offering("a", "get") { _, args ->
            begun += args
            gates[args.toInt()].await()
            FakeApp.success(args)
        }
        val runner = runner(app)
        val calls = List(6) { async { runner.run(tool("a"), "$it", "$it", null) } }
        runCurrent()
        assertEquals(listOf("0", "1", "2", "3"), begun)
        gates[2].complete(Unit)
        runCurrent()
        assertEquals(listOf("0", "1", "2", "3", "4"), begun)
        gates.forEach { it.complete(Unit) }
        assertEquals(List(6) { ProviderReply.Success("$it") }, calls.map { it.await() })
    }

    @Test
    fun `An app that hangs with a long queue holds up no other app`() = runTest {
        val hanging = FakeApp.offering("a", "get") { _, _ -> awaitCancellation() }
        val runner = runner(hanging, FakeApp.offering("b", "get"))
        repeat(40) { async { runner.run(tool("a"), "{}", "$it", null) } }
        runCurrent()
        assertEquals(ProviderReply.Success("{}"), runner.run(tool("b"), "{}", "b", 1.seconds))
        assertEquals(0, currentTime)
    }

    @Test
    fun `Waiting for a place is part of the deadline`() = runTest {
        val runner = runner(FakeApp.offering("a", "get") { _, _ -> awaitCancellation() })
        repeat(4) { async { runner.run(tool("a"), "{}", "$it", null) } }
        runCurrent()
        assertNull(runner.run(tool("a"), "{}", "late", 3.seconds))
        assertEquals(3_000, currentTime)
    }

    @Test
    fun `An app that could not be reached is woken and asked once more`() = runTest {
        var isAwake = false
        val app = FakeApp(
            "a",
            wake = {
                delay(2.seconds)
                isAwake = true
                true
            },
        ) { _, _ -> if (isAwake) FakeApp.success("[]") else NOT_STARTED }
        val (runner, source) = runnerAndSource(app)
        assertEquals(ProviderReply.Success("[]"), runner.run(tool("a"), "{}", "1", null))
        assertEquals(listOf("a"), source.woken)
        assertEquals(2, source.calls.size)
        assertEquals(1, source.calls.map { it.extras }.toSet().size)
    }

    @Test
    fun `An app that stays out of reach is asked no third time`() = runTest {
        val (runner, source) = runnerAndSource(FakeApp("a", wake = { true }) { _, _ -> NOT_STARTED })
        val reply = runner.run(tool("a"), "{}", "1", null) as ProviderReply.Failure
        assertTrue(reply.message, "did not get the call" in reply.message && reply.hint != null)
        assertEquals(2, source.calls.size)
    }

    @Test
    fun `What an app may have got is never repeated, nor what the phone forbids`() = runTest {
        val ends = CallResult.Break.entries.map { CallResult.Broken(it, "private") } +
            CallResult.NotDelivered(CallResult.Reason.NOT_PERMITTED, "private") + CallResult.Answered(null)
        for (end in ends) {
            val (runner, source) = runnerAndSource(FakeApp("a", wake = { true }) { _, _ -> end })
            val reply = runner.run(tool("a"), "{}", "1", null) as ProviderReply.Failure
            assertEquals("$end", 1, source.calls.size)
            assertEquals("$end", emptyList<String>(), source.woken)
            assertTrue("$end", "private" !in "$reply")
        }
    }

    @Test
    fun `An answer that is too large to be handed over says what to do`() = runTest {
        val runner = runner(FakeApp("a") { _, _ -> CallResult.Broken(CallResult.Break.TOO_LARGE, "") })
        val reply = runner.run(tool("a"), "{}", "1", null) as ProviderReply.Failure
        assertTrue("$reply", checkNotNull(reply.hint).startsWith("ask for less"))
    }

    @Test
    fun `A border that throws costs its call and nothing else`() = runTest {
        val runner = runner(FakeApp("a") { _, _ -> error("private") })
        val reply = runner.run(tool("a"), "{}", "1", null) as ProviderReply.Failure
        assertEquals("INTERNAL_ERROR", reply.code)
        assertTrue("private" !in "$reply")
    }

    @Test
    fun `A call that waited is refused when its app was withdrawn meanwhile`() = runTest {
        var offered = Catalog(listOf(tool("a")))
        var isAllowed = true
        val source = FakeProviderSource(FakeApp.offering("a", "get"))
        val runner = ToolRunner(source, { offered }, { isAllowed })
        offered = Catalog.EMPTY
        assertEquals("TOOL_NOT_FOUND", (runner.run(tool("a"), "{}", "1", null) as ProviderReply.Failure).code)
        isAllowed = false
        assertEquals("PERMISSION_DENIED", (runner.run(tool("a"), "{}", "2", null) as ProviderReply.Failure).code)
        assertEquals(0, source.calls.size)
    }

    @Test
    fun `A tool that goes by another wire name now is still the same tool`() = runTest {
        val renamed = Catalog(listOf(tool("a").copy(wireName = "a_1234__get")))
        val runner = ToolRunner(FakeProviderSource(FakeApp.offering("a", "get")), { renamed }, { true })
        assertEquals(ProviderReply.Success("{}"), runner.run(tool("a"), "{}", "1", null))
    }

    private fun runner(vararg apps: FakeApp) = runnerAndSource(*apps).first

    private fun runnerAndSource(vararg apps: FakeApp): Pair<ToolRunner, FakeProviderSource> {
        val source = FakeProviderSource(*apps)
        val offered = Catalog(apps.map { tool(it.packageName) })
        return ToolRunner(source, { offered }, { true }) to source
    }

    private fun tool(app: String) = CatalogTool(
        wireName = "${app}__get",
        spec = ToolSpec("get", "Get.", JsonObject(emptyMap())),
        address = ProviderAddress(app, "$app.tools"),
        appName = "App $app",
        appVersion = "1.0",
    )

    private companion object {
        val NOT_STARTED = CallResult.NotDelivered(CallResult.Reason.NOT_STARTED, "private")
    }
}
