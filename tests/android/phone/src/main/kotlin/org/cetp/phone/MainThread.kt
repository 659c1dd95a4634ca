package org.cetp.phone

import android.os.Handler
import android.os.Looper
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** Run it on the main thread a moment later. */
fun postToMain(work: () -> Unit) {
    check(Handler(Looper.getMainLooper()).post(work)) { "the phone is off" }
}

/** Run it on the main thread and wait for it. */
suspend fun <T> onMain(work: () -> T): T = withContext(Dispatchers.Main) { work() }
