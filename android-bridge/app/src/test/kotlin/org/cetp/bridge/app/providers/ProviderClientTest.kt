package org.cetp.bridge.app.providers

import android.os.Build
import android.os.Bundle
import android.os.DeadObjectException
import android.os.TransactionTooLargeException
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runCurrent
import kotlinx.coroutines.test.runTest
import org.cetp.bridge.app.Requirement
import org.cetp.bridge.app.fakes.Foreign
import org.cetp.bridge.app.fakes.InstalledApp
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.app.fakes.TestProvider
import org.cetp.bridge.app.fakes.garbage
import org.cetp.bridge.app.fakes.reply
import org.cetp.bridge.app.fakes.sent
import org.cetp.bridge.tools.CallResult
import org.cetp.bridge.tools.CallResult.Break
import org.cetp.bridge.tools.CallResult.Reason
import org.cetp.bridge.tools.ProviderAddress
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

@OptIn(ExperimentalCoroutinesApi::class)
@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class ProviderClientTest {
    private val context = RuntimeEnvironment.getApplication()
    private val client = ProviderClient(context.contentResolver, context.packageManager, CallThreads(perLane = 2))
    private val app = InstalledApp("com.example.weather").install()
    private val hold = CountDownLatch(1)

    @After
    fun `let go of whatever still hangs`() = hold.countDown()

    @Requirement("cetp.2.3.call")
    @Test
    fun `a call carries its method and extras, and brings back the reply's texts`() = runTest {
        TestProvider { method, extras ->
            reply("status" to "success", "data" to "$method ${extras?.getString("args")}")
        }.serve(app)
        assertEquals(
            CallResult.Answered(mapOf("status" to "success", "data" to "execute_tool {}")),
            client.call(address(app), "execute_tool", mapOf("args" to "{}")),
        )
    }

    @Test
    fun `no Bundle is told as none`() = runTest {
        TestProvider().serve(app)
        assertEquals(CallResult.Answered(null), call())
    }

    @Test
    fun `values that are no texts and keys that nobody knows are not passed on`() = runTest {
        TestProvider { _, _ ->
            reply("status" to "success", "elsewhere" to "x").apply { putBundle("data", Bundle()) }
        }.serve(app)
        assertEquals(CallResult.Answered(mapOf("status" to "success", "data" to null)), call())
    }

    @Test
    fun `a large answer comes whole`() = runTest {
        val data = "\"${"x".repeat(400_000)}\""
        TestProvider { _, _ -> reply("status" to "success", "data" to data) }.serve(app)
        assertEquals(CallResult.Answered(mapOf("status" to "success", "data" to data)), call())
    }

    @Test
    fun `what a provider throws becomes its kind, without its words`() = runTest {
        TestProvider { _, _ -> throw IllegalStateException("the secret") }.serve(app)
        assertEquals(CallResult.Broken(Break.THREW, "it threw IllegalStateException"), call())
    }

    @Test
    fun `a refusal by the provider's own code counts as delivered`() = runTest {
        TestProvider { _, _ -> throw SecurityException("not you") }.serve(app)
        assertEquals(Break.THREW, broken(call()).reason)
    }

    @Test
    fun `a process that ended during the call is told as such`() = runTest {
        TestProvider(failing = DeadObjectException()).serve(app)
        assertEquals(Break.DIED, broken(call()).reason)
    }

    @Test
    fun `an answer beyond what Android carries is told as too large`() = runTest {
        TestProvider(failing = TransactionTooLargeException("data parcel size 1200000 bytes")).serve(app)
        assertEquals(Break.TOO_LARGE, broken(call()).reason)
        TestProvider(failing = DeadObjectException("Transaction failed on small parcel")).serve(app)
        assertEquals(Break.TOO_LARGE, broken(call()).reason)
    }

    @Test
    fun `an object of a class of the provider's own is never built`() = runTest {
        Foreign.built = false
        TestProvider { _, _ ->
            sent(
                reply("status" to "success", "data" to "1").apply {
                    putParcelable("more", Foreign())
                },
            )
        }.serve(app)
        val result = call()
        assertFalse(Foreign.built)
        // Since Android 13 a Bundle takes its values apart one by one.
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            assertEquals(CallResult.Answered(mapOf("status" to "success", "data" to "1")), result)
        } else {
            assertEquals(Break.UNREADABLE, broken(result).reason)
        }
    }

    @Test
    fun `an object in the place of a text is no text`() = runTest {
        Foreign.built = false
        TestProvider { _, _ ->
            sent(reply("status" to "success").apply { putParcelable("data", Foreign()) })
        }.serve(app)
        when (val result = call()) {
            is CallResult.Answered -> assertEquals(mapOf("status" to "success", "data" to null), result.keys)
            is CallResult.Broken -> assertEquals(Break.UNREADABLE, result.reason)
            is CallResult.NotDelivered -> throw AssertionError("it was delivered")
        }
        assertFalse(Foreign.built)
    }

    @Test
    fun `a reply that is no Bundle inside is unreadable`() = runTest {
        TestProvider { _, _ -> garbage() }.serve(app)
        assertEquals(Break.UNREADABLE, broken(call()).reason)
    }

    @Test
    fun `an authority that nobody has was not delivered`() = runTest {
        app.remove()
        assertEquals(Reason.UNKNOWN_AUTHORITY, notDelivered(call()).reason)
    }

    @Test
    fun `an authority that another app has taken over is not called`() = runTest {
        val thief = InstalledApp("com.example.thief")
        thief.provider.authority = app.authority
        app.remove()
        thief.install()
        val called = CountDownLatch(1)
        TestProvider { _, _ -> called.countDown().let { null } }.serve(thief)
        assertEquals(Reason.UNKNOWN_AUTHORITY, notDelivered(call()).reason)
        assertEquals(1, called.count)
    }

    @Test
    fun `a provider that hangs lets the caller go at once, and others go on`() = runTest {
        val other = InstalledApp("com.example.notes").install()
        val entered = CountDownLatch(1)
        TestProvider { _, _ -> entered.countDown().let { wait(hold) } }.serve(app)
        TestProvider { _, _ -> reply("status" to "success") }.serve(other)

        val hanging = launch { call() }
        runCurrent()
        assertTrue(entered.await(PATIENCE, TimeUnit.SECONDS))
        hanging.cancel()
        hanging.join()

        assertEquals(CallResult.Answered(mapOf("status" to "success")), client.call(address(other), "list_tools", null))
    }

    @Test
    fun `calls beyond an app's lane are refused undelivered until one comes back`() = runTest {
        val entered = CountDownLatch(2)
        TestProvider { _, _ -> entered.countDown().let { wait(hold) } }.serve(app)
        val hanging = List(2) { async { call() } }
        runCurrent()
        assertTrue(entered.await(PATIENCE, TimeUnit.SECONDS))

        assertEquals(Reason.NOT_STARTED, notDelivered(call()).reason)
        hold.countDown()
        hanging.forEach { assertEquals(CallResult.Answered(null), it.await()) }
        assertEquals(CallResult.Answered(null), call())
    }

    @Requirement("cetp.3.3.acquire")
    @Test
    fun `an app can be woken when its provider can be had`() = runTest {
        TestProvider().serve(app)
        assertTrue(client.wake(address(app)))
        app.remove()
        assertFalse(client.wake(address(app)))
    }

    private suspend fun call() = client.call(address(app), "list_tools", null)

    private fun address(app: InstalledApp) = ProviderAddress(app.packageName, app.authority)

    private fun broken(result: CallResult) = result as CallResult.Broken

    private fun notDelivered(result: CallResult) = result as CallResult.NotDelivered

    private fun wait(latch: CountDownLatch): Bundle? {
        latch.await(PATIENCE, TimeUnit.SECONDS)
        return null
    }

    private companion object {
        /** Seconds; only a test that fails waits so long. */
        const val PATIENCE = 20L
    }
}
