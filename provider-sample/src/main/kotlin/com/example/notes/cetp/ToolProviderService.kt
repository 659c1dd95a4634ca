package com.example.notes.cetp

import android.app.Service
import android.content.Intent
import android.os.IBinder

/** Marks the app as a provider (spec 3). It is found by its manifest entry and never runs. */
class ToolProviderService : Service() {
    override fun onBind(intent: Intent): IBinder? = null
}
