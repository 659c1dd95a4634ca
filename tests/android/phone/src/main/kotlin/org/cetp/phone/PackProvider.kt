package org.cetp.phone

import android.content.ContentProvider
import android.content.ContentValues
import android.database.Cursor
import android.net.Uri
import android.os.Bundle
import android.os.DeadObjectException
import android.os.Parcel
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.update
import org.cetp.bridge.protocol.CetpContract.Extra
import org.cetp.bridge.protocol.CetpContract.Method
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** How an app treats the calls of its tools. It lists them in any case. */
enum class Behaviour { WELL, CRASH, HANG, HUGE }

/**
 * The real ContentProvider of an app that is only data. Robolectric hands calls straight to it; so what happens to them
 * between two processes is done here: a process that dies, and an answer that is too large.
 */
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
        return Bundle().apply { keys.forEach { (key, value) -> putString(key, value) } }.also(::checkFits)
    }

    private fun execute(extras: Bundle): Map<String, String> {
        entered.update { it + 1 }
        when (behaviour) {
            Behaviour.WELL -> Unit
            Behaviour.CRASH -> throw DeadObjectException()
            Behaviour.HANG -> hold.await(LONGEST_HANG_S, TimeUnit.SECONDS)
            Behaviour.HUGE -> return mapOf("status" to "success", "data" to "\"${"x".repeat(HUGE_CHARS)}\"")
        }
        val said = pack.authorisation
        if (said != null && !isAuthorised) return pack.authRequired(said)
        return pack.answer(extras.getString(Extra.TOOL_NAME), extras.getString(Extra.ARGS) ?: "{}")
    }

    /** Android's Binder has a buffer of 1 MB for each process; this is how it reports an answer beyond it. */
    private fun checkFits(reply: Bundle) {
        val parcel = Parcel.obtain()
        reply.writeToParcel(parcel, 0)
        val size = parcel.dataSize()
        parcel.recycle()
        if (size > BINDER_BYTES) throw DeadObjectException("Transaction failed on small parcel")
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

    private companion object {
        const val LONGEST_HANG_S = 60L
        const val BINDER_BYTES = 1 shl 20
        const val HUGE_CHARS = 2_000_000
    }
}
