package org.cetp.bridge.app.settings

import android.content.SharedPreferences
import org.cetp.bridge.tools.ConsentStore

/** The owner's decisions on apps, each under its package name. @param preferences a file with nothing else in it. */
class ConsentPreferences(private val preferences: SharedPreferences) : ConsentStore {
    override fun load(): Map<String, String> = buildMap {
        preferences.all.forEach { (packageName, decision) -> if (decision is String) put(packageName, decision) }
    }

    override fun save(packageName: String, decision: String) {
        preferences.edit().putString(packageName, decision).apply()
    }
}
