package org.cetp.bridge.app

import org.cetp.bridge.Log
import android.util.Log as SystemLog

/** Writes to the phone's log, which its owner reads with `adb logcat -s cetp`. */
object AndroidLog : Log {
    private const val TAG = "cetp"

    override fun write(level: Log.Level, message: String) {
        when (level) {
            Log.Level.INFO -> SystemLog.i(TAG, message)
            Log.Level.WARNING -> SystemLog.w(TAG, message)
        }
    }
}
