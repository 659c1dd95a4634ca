package com.example.notes.screens

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.view.View
import android.widget.ListView
import com.example.notes.R
import com.example.notes.cetp.Caller
import com.example.notes.cetp.CallerPolicy
import com.example.notes.cetp.Decision

/** Every app that asked, what the user decided, and a button to take it back. */
class CallersActivity(private val now: () -> Long = System::currentTimeMillis) : Activity() {
    private val callers by lazy { CallerPolicy(this, now) }

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.callers)
        keepClearOfBars(view(R.id.screen))
    }

    override fun onStart() {
        super.onStart()
        showAll()
    }

    private fun showAll() {
        val known = callers.known().toList().sortedBy { (caller, _) -> caller.packages.first() }
        view<ListView>(R.id.list).adapter = CallerRows(known, now(), ::change)
        view<View>(R.id.empty).showIf(known.isEmpty())
    }

    private fun change(caller: Caller, decision: Decision) = when (decision) {
        is Decision.Asked -> startActivity(Intent(this, AuthorizeActivity::class.java))
        is Decision.Allowed, Decision.Refused -> {
            callers.forget(caller)
            showAll()
        }
    }
}
