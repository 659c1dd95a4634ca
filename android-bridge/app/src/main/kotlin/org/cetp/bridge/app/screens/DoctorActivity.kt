package org.cetp.bridge.app.screens

import android.content.ActivityNotFoundException
import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.ImageView
import android.widget.LinearLayout
import android.widget.TextView
import android.widget.Toast
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.runningFold
import kotlinx.coroutines.launch
import org.cetp.bridge.app.R
import org.cetp.bridge.doctor.Diagnosis
import org.cetp.bridge.doctor.Fix
import org.cetp.bridge.gateway.ProbeResult

/** Every precondition with its state and its fix; looked at anew whenever the screen comes back from a fix. */
class DoctorActivity : Screen(R.layout.doctor, R.string.doctor) {
    /** The examination that runs. Only the main thread touches it. */
    private var running: Job? = null

    override fun whileSeen(scope: CoroutineScope) {
        examine(scope)
        part<View>(R.id.doctor_again).setOnClickListener { examine(scope) }
    }

    private fun examine(scope: CoroutineScope) {
        running?.cancel()
        running = scope.launch {
            val facts = parts.phoneFacts()
            val target = parts.target.value
            val steps = if (target == null) emptyFlow() else parts.probe(target)
            steps.runningFold(emptyList<ProbeResult>()) { done, step -> done + step }
                .collect { render(Diagnosis.of(facts, target, it)) }
        }
    }

    private fun render(diagnosis: Diagnosis) {
        part<ImageView>(R.id.doctor_icon).tone(toneOf(diagnosis.worst))
        part<TextView>(R.id.doctor_sum).words(sumWords(diagnosis))
        part<ViewGroup>(R.id.doctor_checks).rows(diagnosis.checks, R.layout.check_row) { row, check ->
            fill(row, checkView(check), check.fix)
        }
    }

    private fun fill(row: View, view: CheckView, fix: Fix?) {
        row.part<LinearLayout>(R.id.check_head).belowWhereNarrow()
        row.part<ImageView>(R.id.check_icon).tone(view.tone)
        row.part<TextView>(R.id.check_subject).apply { heading() }.words(view.subject)
        row.part<TextView>(R.id.check_badge).apply { words(view.badge) }.tone(view.tone)
        row.part<TextView>(R.id.check_finding).words(view.finding)
        val button = row.part<Button>(R.id.check_fix)
        button.words(view.button)
        button.setOnClickListener { if (fix != null) perform(fix) }
    }

    private fun perform(fix: Fix) {
        val permission = permissionOf(fix)
        if (permission != null && shouldAsk(permission)) {
            requestPermissions(arrayOf(permission), 0)
        } else {
            open(fixIntents(this, fix))
        }
    }

    /** Android shows its question only twice; after that only the settings help. */
    private fun shouldAsk(
        permission: String,
    ): Boolean = shouldShowRequestPermissionRationale(permission) || asked.add(permission)

    private fun open(intents: List<Intent>) {
        for (intent in intents) {
            try {
                return startActivity(intent)
            } catch (_: ActivityNotFoundException) {
                continue // A maker left this page out; the next one is more general.
            }
        }
        Toast.makeText(this, R.string.fix_no_screen, Toast.LENGTH_LONG).show()
    }

    private companion object {
        /** Permissions that were asked for since the app was started. Only the main thread touches it. */
        val asked = mutableSetOf<String>()
    }
}
