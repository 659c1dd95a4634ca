package org.cetp.bridge.fakes

import org.cetp.bridge.Log
import java.util.concurrent.CopyOnWriteArrayList

/** Keeps what was logged. */
class RecordingLog : Log {
    val lines = CopyOnWriteArrayList<String>()

    override fun write(level: Log.Level, message: String) {
        lines += "$level $message"
    }
}
