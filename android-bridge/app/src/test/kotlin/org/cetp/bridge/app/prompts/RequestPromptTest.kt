package org.cetp.bridge.app.prompts

import android.app.Notification
import android.app.NotificationManager
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import org.cetp.bridge.app.fakes.TestApp
import org.cetp.bridge.app.notices.Channel
import org.cetp.bridge.app.notices.Notice
import org.cetp.bridge.app.screens.ApprovalActivity
import org.cetp.bridge.app.screens.QuestionActivity
import org.cetp.bridge.app.screens.wantsToKnow
import org.cetp.bridge.app.screens.wantsToWrite
import org.cetp.bridge.person.OpenRequest
import org.cetp.bridge.person.PersonRequests
import org.cetp.bridge.protocol.Decision
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(application = TestApp::class)
class RequestPromptTest {
    private val app = RuntimeEnvironment.getApplication() as TestApp
    private val system = app.getSystemService(NotificationManager::class.java)
    private val manager = shadowOf(system)

    /** Ends with the service. */
    private lateinit var following: Job

    @Before
    fun `follow the requests`() {
        following = app.scope.launch { app.requestPrompt.follow(app.bridge.requests) }
    }

    @Test
    fun `each request has a notice that leads to its own screen`() {
        asks(wantsToWrite("a1"), wantsToWrite("a2"), wantsToKnow("q1"))
        val taps = app.bridge.requests.value.open.map { shadowOf(checkNotNull(notice(it)).contentIntent) }
        assertTrue(taps.all { it.isActivity && it.isImmutable })
        val opened = taps.map { it.savedIntent.component?.className to it.savedIntent.data?.schemeSpecificPart }
        val approval = ApprovalActivity::class.java.name
        assertEquals(listOf(approval to "a1", approval to "a2", QuestionActivity::class.java.name to "q1"), opened)
    }

    @Test
    fun `it is heard, on a channel of its own`() {
        asks(wantsToWrite())
        assertEquals(Channel.DECISIONS.id, checkNotNull(notice(wantsToWrite())).channelId)
        assertEquals(NotificationManager.IMPORTANCE_HIGH, system.getNotificationChannel("decisions").importance)
    }

    @Test
    fun `it names the tool and what it does, and never the arguments`() {
        asks(wantsToWrite(), wantsToKnow())
        val said = said(checkNotNull(notice(wantsToWrite())))
        assertEquals("Allow notes__add_note? It changes, stores or deletes something.", said)
        assertFalse("evening" in said(checkNotNull(notice(wantsToKnow()))))
    }

    @Test
    fun `a locked screen shows that somebody asks and nothing else`() {
        asks(wantsToWrite(), wantsToKnow())
        for (open in app.bridge.requests.value.open) {
            val notice = checkNotNull(notice(open))
            assertEquals(Notification.VISIBILITY_PRIVATE, notice.visibility)
            assertEquals(
                "CETP Bridge You are asked something. Unlock the phone to see it.",
                said(checkNotNull(notice.publicVersion)),
            )
        }
    }

    @Test
    fun `it goes when the owner has answered, when it has ended, and when its time is over`() {
        asks(wantsToWrite("a1"), wantsToWrite("a2"), wantsToKnow("q1"))
        asks(wantsToWrite("a1").copy(answer = Decision.Deny), wantsToKnow("q1"))
        assertNull(notice(wantsToWrite("a1")))
        assertNull(notice(wantsToWrite("a2")))
        assertEquals(120_000, checkNotNull(notice(wantsToKnow("q1"))).timeoutAfter)
    }

    @Test
    fun `a tap leaves it, since whoever has looked has not answered`() {
        asks(wantsToWrite())
        val flags = checkNotNull(notice(wantsToWrite())).flags
        assertEquals(0, flags and Notification.FLAG_AUTO_CANCEL)
    }

    @Test
    fun `a reconnect does not ring again`() {
        asks(wantsToWrite())
        val first = notice(wantsToWrite())
        asks(wantsToWrite().copy(isConfirmed = false))
        asks(wantsToWrite())
        assertTrue(first === notice(wantsToWrite()))
    }

    @Test
    fun `none is left when the service ends`() {
        asks(wantsToWrite(), wantsToKnow())
        assertNotNull(notice(wantsToWrite()))
        following.cancel()
        assertEquals(0, manager.size())
    }

    private fun asks(vararg open: OpenRequest) {
        app.bridge.requests.value = PersonRequests(open.toList())
    }

    private fun notice(open: OpenRequest): Notification? {
        val notice = Notice.Request(open.key)
        return manager.getNotification(notice.tag, notice.number)
    }

    private fun said(notice: Notification): String =
        listOf(Notification.EXTRA_TITLE, Notification.EXTRA_TEXT)
            .joinToString(" ") { notice.extras.getCharSequence(it).toString() }
}
