package org.cetp.bridge.app.service

import android.app.PendingIntent
import android.app.Service
import android.content.Context
import android.content.Intent
import android.content.pm.ServiceInfo
import android.os.Build
import android.os.IBinder
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.plus
import kotlinx.coroutines.withTimeoutOrNull
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.app.Graph
import org.cetp.bridge.app.graph
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.notices.Notices
import org.cetp.bridge.app.phone.networkChanges
import org.cetp.bridge.app.settings.Pairing
import org.cetp.bridge.gateway.GatewayTarget
import kotlin.time.Duration.Companion.seconds

/** Keeps the process alive while the owner wants to be connected, and the notification true. Started by [Connection]. */
class BridgeService : Service() {
    private lateinit var parts: Graph

    /** Everything this service waits for; ends with it. Set before anything else is called. */
    private lateinit var scope: CoroutineScope

    /** The connection that is followed now. Written on the main thread, cancelled from any. */
    @Volatile
    private var following: Job? = null

    /** The last start that Android told of; a later one keeps the service. Written on the main thread, read from any. */
    @Volatile
    private var lastStart = 0

    override fun onCreate() {
        parts = graph
        scope = parts.scope + Job(parts.scope.coroutineContext.job)
        scope.launch { networkChanges(this@BridgeService).collect { parts.bridge.networkReturned() } }
        scope.launch { parts.authorizePrompt.follow(parts.bridge.calls) }
        scope.launch { parts.requestPrompt.follow(parts.bridge.requests) }
    }

    override fun onStartCommand(intent: Intent?, flags: Int, startId: Int): Int {
        lastStart = startId
        when (intent?.action) {
            STOP -> whileFollowing { parts.connection.off() }
            REPEAT -> whileFollowing { intent.getStringExtra(CALL)?.let(parts.bridge::repeat) }
            // Without an intent the system has started it again after it had run out of memory.
            else -> start()
        }
        return if (parts.settings.wished) START_STICKY else START_NOT_STICKY
    }

    override fun onBind(intent: Intent): IBinder? = null

    /** Android 14. Nothing of the kind is expected of this service's type; but whoever ignores it is killed. */
    override fun onTimeout(startId: Int) {
        endForTimeLimit()
    }

    /** Android 15 and later call this one instead. */
    override fun onTimeout(startId: Int, type: Int) {
        endForTimeLimit()
    }

    override fun onDestroy() {
        scope.cancel()
        parts.notices.withdraw(Notice.Connection)
        // What stopped by itself keeps its reason for the screens.
        if (parts.bridge.status.value !is BridgeStatus.Stopped) parts.bridge.disconnect()
    }

    private fun start() {
        if (!enterForeground()) return
        following?.cancel()
        val next = scope.launch(start = CoroutineStart.LAZY) {
            launch { follow(parts.settings.pairing()) }
            parts.connection.wanted.first { !it }
            end()
        }
        // Known before it runs, so that it can end itself.
        following = next
        next.start()
    }

    private suspend fun follow(pairing: Pairing) {
        when (pairing) {
            is Pairing.Paired -> connect(pairing.target)
            is Pairing.TokenLost -> end { parts.connection.refuse(Refusal.TOKEN_LOST) }
            Pairing.None -> end { parts.settings.wished = false }
        }
    }

    private fun enterForeground(): Boolean {
        val notification = connectionNotification(this, parts.notices, parts.bridge.status.value)
        try {
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
                startForeground(
                    Notice.Connection.number,
                    notification,
                    ServiceInfo.FOREGROUND_SERVICE_TYPE_CONNECTED_DEVICE,
                )
            } else {
                startForeground(Notice.Connection.number, notification)
            }
        } catch (_: IllegalStateException) {
            return refused(Refusal.BACKGROUND)
        } catch (_: SecurityException) {
            return refused(Refusal.PERMISSION)
        }
        parts.connection.started()
        return true
    }

    private fun refused(reason: Refusal): Boolean {
        end { parts.connection.refuse(reason) }
        return false
    }

    private suspend fun connect(target: GatewayTarget) {
        // Otherwise the reason why the last connection stopped would be taken for this one's.
        if (parts.bridge.status.value is BridgeStatus.Stopped) parts.bridge.disconnect()
        withTimeoutOrNull(PATIENCE) { parts.bridge.status.first { it !is BridgeStatus.Stopped } }
        parts.bridge.connect(target)
        parts.bridge.status.collect(::show)
    }

    private fun show(status: BridgeStatus) {
        if (status is BridgeStatus.Stopped) {
            end { parts.connection.stopped(status.reason) }
        } else {
            parts.notices.show(connectionNotification(this, parts.notices, status))
        }
    }

    /** A button of a notice. Pressed after the service had ended, it gives the service nothing to stay for. */
    private fun whileFollowing(press: () -> Unit) {
        press()
        if (following?.isActive != true) stopSelf(lastStart)
    }

    private fun endForTimeLimit() {
        end { parts.connection.refuse(Refusal.TIME_LIMIT) }
    }

    /** Leave, and then say why, so that the notice of the running service does not cover it. */
    private fun end(why: () -> Unit = {}) {
        following?.cancel()
        stopForeground(STOP_FOREGROUND_REMOVE)
        stopSelf(lastStart)
        why()
    }

    companion object {
        private const val STOP = "org.cetp.bridge.STOP"
        private const val REPEAT = "org.cetp.bridge.REPEAT"
        private const val CALL = "call"
        private val PATIENCE = 2.seconds

        internal fun stopping(context: Context): Intent = Intent(context, BridgeService::class.java).setAction(STOP)

        /** Repeats a call of an app when it is pressed; each app has one. */
        internal fun repeating(context: Context, packageName: String, callId: String): PendingIntent {
            val intent = Intent(context, BridgeService::class.java).setAction(REPEAT).putExtra(CALL, callId)
            return PendingIntent.getService(context, packageName.hashCode(), intent, Notices.FIXED)
        }
    }
}
