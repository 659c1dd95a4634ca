package org.cetp.bridge.app.notices

import org.cetp.bridge.protocol.RequestKey

/** What a notification is about. Two of the same are never shown at once. */
sealed interface Notice {
    /** Tells notices of one [number] apart; null when there is only one. */
    val tag: String?
    val number: Int

    /** The service runs. */
    data object Connection : Notice {
        override val tag: String? = null
        override val number: Int = 1
    }

    /** The service has stopped or could not start. */
    data object Problem : Notice {
        override val tag: String? = null
        override val number: Int = 2
    }

    /** An app asks to be authorised. */
    data class Authorize(val packageName: String) : Notice {
        override val tag: String get() = packageName
        override val number: Int get() = AUTHORIZE
    }

    /** An app could not be started. */
    data class Wake(val packageName: String) : Notice {
        override val tag: String get() = packageName
        override val number: Int get() = WAKE
    }

    /** The gateway asks the owner something. */
    data class Request(val key: RequestKey) : Notice {
        override val tag: String get() = "${key.kind} ${key.id}"
        override val number: Int get() = REQUEST
    }

    private companion object {
        const val AUTHORIZE = 3
        const val WAKE = 4
        const val REQUEST = 5
    }
}
