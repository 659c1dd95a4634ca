package org.cetp.bridge.app.screens

import android.content.res.ColorStateList
import android.widget.ImageView
import android.widget.TextView
import org.cetp.bridge.app.R

/** What a state means to the owner; its colour and picture only repeat what the words beside it say. */
internal enum class Tone(val icon: Int, val ink: Int, val ground: Int) {
    GOOD(R.drawable.ic_done, R.color.good, R.color.good_ground),
    BUSY(R.drawable.ic_busy, R.color.busy, R.color.busy_ground),
    WAITING(R.drawable.ic_waiting, R.color.warning, R.color.warning_ground),
    WARNING(R.drawable.ic_warning, R.color.warning, R.color.warning_ground),
    BAD(R.drawable.ic_failed, R.color.bad, R.color.bad_ground),
    IDLE(R.drawable.ic_off, R.color.idle, R.color.idle_ground),
    UNKNOWN(R.drawable.ic_unknown, R.color.idle, R.color.idle_ground),
}

internal fun ImageView.tone(tone: Tone) {
    setImageResource(tone.icon)
    imageTintList = ColorStateList.valueOf(context.getColor(tone.ink))
    backgroundTintList = ColorStateList.valueOf(context.getColor(tone.ground))
}

internal fun TextView.tone(tone: Tone) {
    setTextColor(context.getColor(tone.ink))
    backgroundTintList = ColorStateList.valueOf(context.getColor(tone.ground))
}
