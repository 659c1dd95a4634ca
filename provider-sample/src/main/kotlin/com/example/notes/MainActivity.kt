package com.example.notes

import android.app.Activity
import android.os.Bundle
import android.widget.TextView

/** The first screen. */
class MainActivity : Activity() {
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(TextView(this).apply { setText(R.string.app_name) })
    }
}
