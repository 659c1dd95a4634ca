package org.cetp.phone

import android.content.ContentProvider
import android.content.ContentValues
import android.content.IContentProvider
import android.database.Cursor
import android.net.Uri
import android.os.Bundle
import android.os.DeadObjectException
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.update
import org.cetp.bridge.protocol.CetpContract.Extra
import org.cetp.bridge.protocol.CetpContract.Method
import java.lang.reflect.InvocationHandler
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Proxy
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** How an app treats the calls of its tools. It lists them in any case. */
enum class Behaviour { WELL, CRASH, HANG, HUGE }

/** The real ContentProvider of an app that is only data. */
class PackProvider(@Volatile var pack: Pack) : ContentProvider() {
    /** Whether its owner lets others call it; counts only for a pack that asks for it. */
    @Volatile
    var isAuthorised = false

    @Volatile
    private var behaviour = Behaviour.WELL

    /** What hanging calls wait for. */
    @Volatile
    private var hold = CountDownLatch(1)

    private val entered = MutableStateFlow(0)

    /** Calls of its tools that have come so far. */
    val calls: StateFlow<Int> = entered

    /** Behave so from now on; whatever hangs comes back. */
    fun behave(how: Behaviour) {
        behaviour = how
        hold.countDown()
        hold = CountDownLatch(1)
    }

    override fun call(method: String, arg: String?, extras: Bundle?): Bundle? {
        val keys = when (method) {
            Method.LIST_TOOLS -> pack.listed()
            Method.EXECUTE_TOOL -> execute(extras ?: Bundle.EMPTY)
            else -> return null
        }
        return Bundle().apply { keys.forEach { (key, value) -> putString(key, value) } }
    }

    private fun execute(extras: Bundle): Map<String, String> {
        entered.update { it + 1 }
        when (behaviour) {
            Behaviour.WELL -> Unit
            Behaviour.CRASH -> throw ProcessDied()
            Behaviour.HANG -> hold.await(LONGEST_HANG_S, TimeUnit.SECONDS)
            Behaviour.HUGE -> return mapOf("status" to "success", "data" to "\"${"x".repeat(HUGE_CHARS)}\"")
        }
        val said = pack.authorisation
        if (said != null && !isAuthorised) return pack.authRequired(said)
        return pack.answer(extras.getString(Extra.TOOL_NAME), extras.getString(Extra.ARGS) ?: "{}")
    }

    /** On the way to another process an exception stays behind; what arrives when that process dies is this one. */
    override fun getIContentProvider(): IContentProvider {
        val real = super.getIContentProvider()
        val border = InvocationHandler { _, method, arguments ->
            try {
                method.invoke(real, *arguments.orEmpty())
            } catch (failure: InvocationTargetException) {
                throw if (failure.targetException is ProcessDied) DeadObjectException() else failure.targetException
            }
        }
        val type = IContentProvider::class.java
        return Proxy.newProxyInstance(type.classLoader, arrayOf(type), border) as IContentProvider
    }

    override fun onCreate(): Boolean = true

    override fun getType(uri: Uri): String? = null

    override fun insert(uri: Uri, values: ContentValues?): Uri? = null

    override fun delete(uri: Uri, where: String?, args: Array<String>?): Int = 0

    override fun update(uri: Uri, values: ContentValues?, where: String?, args: Array<String>?): Int = 0

    override fun query(
        uri: Uri,
        columns: Array<String>?,
        where: String?,
        args: Array<String>?,
        order: String?,
    ): Cursor? = null

    private class ProcessDied : RuntimeException()

    private companion object {
        const val LONGEST_HANG_S = 60L
        const val HUGE_CHARS = 2_000_000
    }
}
