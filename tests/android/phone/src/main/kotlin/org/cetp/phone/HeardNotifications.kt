package org.cetp.phone

import android.app.Notification
import android.app.NotificationManager
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.update
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowNotificationManager

/** Notifications that can be waited for. */
@Implements(NotificationManager::class)
class HeardNotifications : ShadowNotificationManager() {
    @Implementation
    override fun notify(tag: String?, id: Int, notification: Notification) {
        super.notify(tag, id, notification)
        shown.update { it + ((tag to id) to notification) }
    }

    @Implementation
    override fun cancel(tag: String?, id: Int) {
        super.cancel(tag, id)
        shown.update { it - (tag to id) }
    }

    companion object {
        /** What the owner sees now, by tag and number. */
        val shown = MutableStateFlow<Map<Pair<String?, Int>, Notification>>(emptyMap())
    }
}
