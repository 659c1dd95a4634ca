package org.cetp.bridge.app.service

import android.app.ForegroundServiceStartNotAllowedException
import android.app.Notification
import android.app.NotificationManager
import android.content.Intent
import android.content.pm.ServiceInfo
import android.net.ConnectivityManager
import android.net.Network
import org.cetp.bridge.BridgeStatus
import org.cetp.bridge.StopReason
import org.cetp.bridge.app.R
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.screens.wantsToWrite
import org.cetp.bridge.person.PersonRequests
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ServiceController
import org.robolectric.annotation.Config
import org.robolectric.shadow.api.Shadow
import kotlin.time.Duration.Companion.seconds

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class BridgeServiceTest {
    private val app = RuntimeEnvironment.getApplication() as TestApp
    private val manager = shadowOf(app.getSystemService(NotificationManager::class.java))

    @Test
    fun `a start connects to the gateway of the settings, in the foreground`() {
        val service = start()
        assertEquals(listOf("connect http://192.168.1.20:42617"), app.bridge.wishes)
        assertEquals(Notice.Connection.number, shadowOf(service.get()).lastForegroundNotificationId)
        assertEquals("Connecting…", title(connectionNotice()))
    }

    @Test
    @Config(sdk = [34, 36])
    fun `it runs under the type that the manifest gives the reason for`() {
        assertEquals(ServiceInfo.FOREGROUND_SERVICE_TYPE_CONNECTED_DEVICE, start().get().foregroundServiceType)
    }

    @Test
    fun `while it runs the owner is called to what the gateway asks, and no longer`() {
        val service = start()
        app.bridge.requests.value = PersonRequests(listOf(wantsToWrite()))
        val notice = Notice.Request(wantsToWrite().key)
        assertNotNull(manager.getNotification(notice.tag, notice.number))
        service.destroy()
        assertNull(manager.getNotification(notice.tag, notice.number))
    }

    @Test
    fun `the notification follows the connection`() {
        start()
        app.bridge.status.value = BridgeStatus.Connected(tools = 12, held = 0)
        assertEquals("Connected, 12 tools", title(connectionNotice()))
        app.bridge.status.value = BridgeStatus.Connected(tools = 1, held = 2)
        assertEquals("Connected, 1 tool", title(connectionNotice()))
        assertEquals("The gateway holds 2 tools back", text(connectionNotice()))
        app.bridge.status.value = BridgeStatus.Waiting(attempt = 3, pause = 8.seconds, because = "a secret")
        assertEquals("No connection, trying again", title(connectionNotice()))
        assertEquals("", text(connectionNotice()))
    }

    @Test
    @Config(qualifiers = "zh")
    fun `the notification speaks the phone's language`() {
        start()
        assertEquals("正在连接…", title(connectionNotice()))
    }

    @Test
    fun `its Stop button ends the connection and the wish for it`() {
        val service = start()
        val stop = shadowOf(connectionNotice().actions.single().actionIntent)
        assertTrue(stop.isImmutable)
        service.get().onStartCommand(stop.savedIntent, 0, 2)
        assertFalse(app.settings.wished)
        assertEquals(BridgeStatus.Off, app.bridge.status.value)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertNull(manager.getNotification(Notice.Connection.number))
    }

    @Test
    fun `it may be ended before it has begun`() {
        app.pair()
        app.connection.on()
        app.connection.off()
        assertNull(shadowOf(app).nextStoppedService)
        val service = Robolectric.buildService(BridgeService::class.java).create().startCommand(0, 1)
        assertEquals(Notice.Connection.number, shadowOf(service.get()).lastForegroundNotificationId)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(BridgeStatus.Off, app.bridge.status.value)
    }

    @Test
    fun `what the status does after the end is not shown`() {
        start().get().onTimeout(1)
        app.bridge.status.value = BridgeStatus.Waiting(attempt = 1, pause = 8.seconds, because = "late")
        assertNull(manager.getNotification(Notice.Connection.number))
    }

    @Test
    fun `a connection that stopped for good ends the service and says why`() {
        val service = start()
        app.bridge.status.value = BridgeStatus.Stopped(StopReason.TOKEN_REFUSED)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(app.getString(R.string.stopped_token_refused), text(problemNotice()))
        assertFalse(app.settings.wished)
        service.destroy()
        assertEquals(BridgeStatus.Stopped(StopReason.TOKEN_REFUSED), app.bridge.status.value)
    }

    @Test
    fun `the reason of an old stop does not end a new start`() {
        app.bridge.status.value = BridgeStatus.Stopped(StopReason.REPLACED)
        val service = start()
        assertFalse(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(listOf("disconnect", "connect http://192.168.1.20:42617"), app.bridge.wishes)
    }

    @Test
    fun `without a gateway it ends and asks for nothing`() {
        app.connection.on()
        val service = Robolectric.buildService(BridgeService::class.java).create().startCommand(0, 1)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(emptyList<String>(), app.bridge.wishes)
    }

    @Test
    fun `a token whose key is gone asks to pair again`() {
        app.pair()
        app.keys.delete()
        app.connection.on()
        val service = Robolectric.buildService(BridgeService::class.java).create().startCommand(0, 1)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(Refusal.TOKEN_LOST, app.connection.refusal.value)
        assertEquals(app.getString(R.string.refused_token_lost), text(problemNotice()))
    }

    @Test
    @Config(sdk = [34, 36])
    fun `a start that Android does not allow from the background becomes a notice`() {
        refusedBy(ForegroundServiceStartNotAllowedException("not now"))
        assertEquals(Refusal.BACKGROUND, app.connection.refusal.value)
        assertEquals(app.getString(R.string.refused_background), text(problemNotice()))
    }

    @Test
    fun `a type that Android does not grant becomes a notice`() {
        refusedBy(SecurityException("type"))
        assertEquals(Refusal.PERMISSION, app.connection.refusal.value)
        assertEquals(app.getString(R.string.refused_permission), text(problemNotice()))
    }

    @Test
    fun `a start that works takes the notice of the last refusal away`() {
        refusedBy(SecurityException("type"))
        start()
        assertNull(app.connection.refusal.value)
        assertNull(manager.getNotification(Notice.Problem.number))
    }

    @Test
    fun `a restart by the system, which has no intent, connects again`() {
        app.pair()
        app.connection.on()
        val service = Robolectric.buildService(BridgeService::class.java).create()
        assertEquals(android.app.Service.START_STICKY, service.get().onStartCommand(null, 0, 1))
        assertEquals(listOf("connect http://192.168.1.20:42617"), app.bridge.wishes)
    }

    @Test
    fun `both of Android's time-outs end it with a notice, and no restart`() {
        val service = start()
        service.get().onTimeout(1)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(app.getString(R.string.refused_time_limit), text(problemNotice()))
        service.destroy()
        assertEquals(BridgeStatus.Off, app.bridge.status.value)

        start().get().onTimeout(1, ServiceInfo.FOREGROUND_SERVICE_TYPE_CONNECTED_DEVICE)
        assertEquals(Refusal.TIME_LIMIT, app.connection.refusal.value)
    }

    @Test
    fun `a network that returns is told to the bridge, until the service ends`() {
        val service = start()
        val connectivity = shadowOf(app.getSystemService(ConnectivityManager::class.java))
        connectivity.networkCallbacks.single().onAvailable(Shadow.newInstanceOf(Network::class.java))
        assertEquals("network returned", app.bridge.wishes.last())
        service.destroy()
        assertTrue(connectivity.networkCallbacks.isEmpty())
    }

    @Test
    fun `the end of the service is the end of the connection`() {
        start().destroy()
        assertEquals(BridgeStatus.Off, app.bridge.status.value)
    }

    @Test
    fun `another gateway is connected to when started again`() {
        val service = start()
        app.pair("https://gateway.example.com")
        service.get().onStartCommand(Intent(), 0, 2)
        assertEquals("connect https://gateway.example.com", app.bridge.wishes.last())
        assertNotNull(connectionNotice())
    }

    private fun start(): ServiceController<BridgeService> {
        app.pair()
        app.connection.on()
        return Robolectric.buildService(BridgeService::class.java).create().startCommand(0, 1)
    }

    private fun refusedBy(failure: Exception) {
        app.pair()
        app.connection.on()
        val service = Robolectric.buildService(BridgeService::class.java).create()
        shadowOf(service.get()).setThrowInStartForeground(failure)
        service.startCommand(0, 1)
        assertTrue(shadowOf(service.get()).isStoppedBySelf)
        assertEquals(emptyList<String>(), app.bridge.wishes)
    }

    private fun connectionNotice(): Notification = checkNotNull(manager.getNotification(Notice.Connection.number))

    private fun problemNotice(): Notification = checkNotNull(manager.getNotification(Notice.Problem.number))

    private fun title(notification: Notification) =
        notification.extras.getCharSequence(Notification.EXTRA_TITLE).toString()

    private fun text(notification: Notification) =
        notification.extras.getCharSequence(Notification.EXTRA_TEXT).toString()
}
